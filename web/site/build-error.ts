export interface Place {
  file: string;
  /** One-based; absent when the fault belongs to the whole file. */
  line?: number | undefined;
}

/** A fault in what an author wrote: its message starts with file and line. */
export class BuildError extends Error {
  constructor(place: Place, message: string) {
    super(`${place.file}${place.line === undefined ? '' : `:${place.line}`}: ${message}`);
    this.name = 'BuildError';
  }
}
