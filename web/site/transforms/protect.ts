// Text that is Simplified already travels through the pipeline one plane up,
// in a private-use area, where no dictionary finds it and every tool takes it
// for plain letters.
const SHIFT = 0xf0000;
const HAN = /[\u3400-\u9fff]/g;
const SHIFTED = /[\u{f3400}-\u{f9fff}]/gu;

export const protect = (text: string): string =>
  text.replace(HAN, (c) => String.fromCodePoint(c.codePointAt(0)! + SHIFT));

export const unprotect = (text: string): string =>
  text.replace(SHIFTED, (c) => String.fromCodePoint(c.codePointAt(0)! - SHIFT));
