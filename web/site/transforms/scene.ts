import type MarkdownIt from 'markdown-it';
import type { Drawing } from './containers.ts';

export const SCENE: Drawing = {
  open({ argument, fail }) {
    if (argument) throw fail('a scene takes no argument');
    return '<div class="scene">\n';
  },
  close: '</div>\n',
};

/** In a scene, a paragraph that starts with a name in bold and 「：」 is that person's. */
export function speakers(md: MarkdownIt): void {
  md.core.ruler.push('speakers', (state) => {
    let scenes = 0;
    state.tokens.forEach((token, index) => {
      if (token.type === 'container_scene_open') scenes += 1;
      if (token.type === 'container_scene_close') scenes -= 1;
      if (scenes === 0 || token.type !== 'inline') return;
      const paragraph = state.tokens[index - 1];
      const parts = (token.children ?? []).filter(
        ({ type, content }) => type !== 'text' || content,
      );
      const [bold, , end, after] = parts;
      if (
        paragraph?.type === 'paragraph_open' &&
        bold?.type === 'strong_open' &&
        end?.type === 'strong_close' &&
        after?.content.startsWith('：')
      ) {
        paragraph.attrJoin('class', 'line');
        bold.attrJoin('class', 'speaker');
      }
    });
  });
}
