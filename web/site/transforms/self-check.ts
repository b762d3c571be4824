import type { Drawing } from './containers.ts';

/** Questions, and a table that says for each of them what to read again. The page's script adds the advice. */
export const SELF_CHECK: Drawing = {
  open({ argument, fail }) {
    if (argument) throw fail('a self-check takes no argument');
    return '<div class="self-check" data-self-check>\n';
  },
  close: '</div>\n',
};
