import type MarkdownIt from 'markdown-it';

const WIDE = /[\u3000-\u303f\u3400-\u9fff\uff00-\uffef\u{f3400}-\u{f9fff}]/u;

/** A line break between two Han characters is no space. */
export function joinLines(md: MarkdownIt): void {
  md.renderer.rules.softbreak = (tokens, index) => {
    const before = [...(tokens[index - 1]?.content ?? '')].at(-1) ?? '';
    const after = [...(tokens[index + 1]?.content ?? '')][0] ?? '';
    return WIDE.test(before) && WIDE.test(after) ? '' : '\n';
  };
}
