import type MarkdownIt from 'markdown-it';
import { fault, type Env } from './env.ts';

/**
 * A Markdown table gets what a listener needs: a caption, which the author
 * gives as `{caption="…"}` under it, and headers for columns and rows.
 */
export function tables(md: MarkdownIt): void {
  md.core.ruler.push('tables', (state) => {
    let row: 'head' | 'first' | 'rest' = 'rest';
    let cell = 'td';
    let body = false;
    for (const token of state.tokens) {
      switch (token.type) {
        case 'table_open':
          if (!token.attrGet('caption'))
            throw fault(state.env as Env, token.map?.[0], 'a table needs {caption="…"} under it');
          break;
        case 'thead_open':
        case 'tbody_open':
          body = token.type === 'tbody_open';
          break;
        case 'tr_open':
          row = body ? 'first' : 'head';
          break;
        case 'th_open':
          token.attrSet('scope', 'col');
          break;
        case 'td_open':
          cell = row === 'first' ? 'th' : 'td';
          row = 'rest';
          token.tag = cell;
          if (cell === 'th') token.attrSet('scope', 'row');
          break;
        case 'td_close':
          token.tag = cell;
      }
    }
  });
  md.renderer.rules['table_open'] = (tokens, index, options, env, self) => {
    const token = tokens[index]!;
    const caption = token.attrGet('caption') ?? '';
    token.attrs = (token.attrs ?? []).filter(([name]) => name !== 'caption');
    return `<div class="table-scroll"><table${self.renderAttrs(token)}>\n<caption>${md.utils.escapeHtml(caption)}</caption>\n`;
  };
  md.renderer.rules['table_close'] = () => '</table></div>\n';
}
