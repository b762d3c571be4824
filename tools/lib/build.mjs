import { optionsOf } from './options.mjs';
import { SITE_STEPS, setupSteps } from './site.mjs';
import { steps } from './steps.mjs';

/** Everything from a bare clone to dist/, or only what comes before it, with a line per step. */
export async function build({ level = 'build', yes = false, site = true } = {}) {
  const todo = [...setupSteps(level, { yes }), ...(site ? SITE_STEPS : [])];
  const step = steps(todo.length);
  for (const [label, work] of todo) await step(label, work);
}

export async function main(args) {
  await build(optionsOf(args, { yes: { type: 'boolean' } }, 'npm run build -- [--yes]'));
  console.log('The site is in dist/; open dist/index.html.');
}
