import type { Lab } from './types.ts';

declare global {
  /** Filled by the scripts assets/labs/STEM.js, which stand before labs.js on a page. */
  var attnLabs: Record<string, { lab: Lab } | undefined> | undefined;
}

/** A lab whose script the page has loaded. */
export function labNamed(stem: string): Lab | undefined {
  return globalThis.attnLabs?.[stem]?.lab;
}
