import { build } from './build.mjs';
import { optionsOf } from './options.mjs';
import { Stop } from './stop.mjs';
import { seconds } from './steps.mjs';
import { COMMON, LONGER } from './suites.mjs';

const USAGE = `npm test -- [--yes] [--only NAME]…
npm run test:all -- [--yes] [--only NAME]…
  --longer   only what test:all adds to test
  --only     a suite by its name: ${[...COMMON, ...LONGER].map(({ name }) => name).join(', ')}`;

function suitesFor({ all, longer, only = [] }) {
  const every = [...COMMON, ...LONGER];
  const unknown = only.filter((name) => !every.some((s) => s.name === name));
  if (unknown.length) throw new Stop(`no suite is called ${unknown[0]}.`, USAGE);
  if (only.length) return every.filter(({ name }) => only.includes(name));
  if (longer) return LONGER;
  return all ? every : COMMON;
}

/** A suite that ran nothing, or broke down, has failed. */
async function outcome(suite) {
  try {
    const { passed, failed } = await suite.run();
    if (passed + failed > 0) return { passed, failed };
    console.log(`${suite.name}: no test was run`);
  } catch (error) {
    console.error(error instanceof Stop ? error.message : error);
    if (error.advice) console.error(error.advice);
  }
  return { passed: 0, failed: 1 };
}

export async function main(args) {
  const options = optionsOf(
    args,
    {
      yes: { type: 'boolean' },
      all: { type: 'boolean' },
      longer: { type: 'boolean' },
      only: { type: 'string', multiple: true },
    },
    USAGE,
  );
  const suites = suitesFor(options);
  const level = suites.some((suite) => LONGER.includes(suite)) ? 'all' : 'test';
  const began = performance.now();
  await build({ level, yes: options.yes, site: suites.some(({ site }) => site) });

  const rows = [];
  for (const suite of suites) {
    console.log(`\n--- ${suite.name}: ${suite.what}`);
    const start = performance.now();
    rows.push({ name: suite.name, ...(await outcome(suite)), time: seconds(start) });
  }

  console.log('');
  const total = { passed: 0, failed: 0 };
  for (const { name, passed, failed, time } of rows) {
    console.log(`${name}: ${passed} passed, ${failed} failed in ${time}`);
    total.passed += passed;
    total.failed += failed;
  }
  console.log(`all in ${seconds(began)}`);
  console.log(`${total.passed} passed, ${total.failed} failed`);
  return total.failed > 0 || total.passed === 0 ? 1 : 0;
}
