const escape = (text: string) =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

const KEYWORDS =
  'alignas alignof auto bool break case catch char class const consteval constexpr const_cast continue default delete do double else enum explicit extern false float for friend if inline int int32_t int64_t long mutable namespace new noexcept nullptr operator private protected public return short signed sizeof size_t static static_cast struct switch template this throw true try typedef typename uint32_t uint64_t unsigned using virtual void while';
const isKeyword = new Set(KEYWORDS.split(' '));
const TOKEN =
  /(?<comment>\/\/[^\n]*|\/\*[\s\S]*?\*\/)|(?<text>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|(?<hash>^[ \t]*#[^\n]*)|(?<number>\b\d[\w.]*)|(?<word>[A-Za-z_]\w*)|[^]/gm;

/** C++ as HTML; the characters stay exactly those of the source. */
export function highlight(code: string): string {
  let html = '';
  for (const { 0: token, groups } of code.matchAll(TOKEN)) {
    const { comment, text, hash, number, word } = groups!;
    const kind = comment
      ? 'comment'
      : text || number
        ? 'literal'
        : hash
          ? 'hash'
          : word && isKeyword.has(word)
            ? 'word'
            : '';
    html += kind ? `<span class="code-${kind}">${escape(token)}</span>` : escape(token);
  }
  return html;
}

/** A whole file with an anchor on every line; a token never spans two of them here. */
export const highlightLines = (code: string): string =>
  code
    .split('\n')
    .map((line, index) => `<span class="line" id="L${index + 1}">${highlight(line)}\n</span>`)
    .join('');
