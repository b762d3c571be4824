/** Mirrors attn::ErrorCode of cpp/include/attn/error.hpp, one to one. */
export const errorCodes = [
  'shape-mismatch',
  'not-finite',
  'empty-input',
  'invalid-argument',
  'too-large',
  'out-of-memory',
  'cancelled',
  'unavailable',
  'diverged',
  'internal',
] as const;
export type ErrorCode = (typeof errorCodes)[number];

const brand = Symbol.for('attn.CoreError');

/** `message` is English, for the console; pages show their own sentence for `code`. */
export class CoreError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string) {
    super(message);
    this.name = 'CoreError';
    this.code = code;
    Object.defineProperty(this, brand, { value: true });
  }

  // The core and the page are separate scripts, each with this class bundled in.
  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === 'object' && value !== null && brand in value;
  }
}
