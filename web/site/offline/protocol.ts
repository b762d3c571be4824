/** What the build knows about a file of the site: its path from the root of dist/, what is in it, and how much. */
export interface Kept {
  path: string;
  sha256: string;
  bytes: number;
}

/** How much of an edition stands in the browser. */
export interface Status {
  files: number;
  ofFiles: number;
  bytes: number;
  ofBytes: number;
}

/** What a page asks of the worker. */
export type Request =
  | { type: 'status'; edition: string }
  /** Addresses that the page was made of before the worker looked after it. */
  | { type: 'keep'; urls: string[] }
  | { type: 'keep-all'; edition: string }
  | { type: 'take-over' };

/** What it answers, through the port that came with the question. */
export type Reply =
  | { type: 'status'; status: Status }
  | { type: 'progress'; status: Status }
  | { type: 'done'; status: Status }
  | { type: 'failed'; why: 'network' | 'space' | 'newer'; status: Status };
