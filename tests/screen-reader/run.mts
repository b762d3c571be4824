// Drives Orca through every steps file, over http, in Firefox and in Chromium unless its first line names one of them.
// `--renew` writes transcripts/, other words choose.
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { httpOrigin } from '../pages/support/dist.mts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const words = process.argv.slice(2).filter((word) => word !== '--renew');
const renew = process.argv.includes('--renew');
const transcripts = renew ? here('transcripts') : here('../../build/screen-reader');

function orca(url: string, browser: string, locale: string, steps: string): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn('bash', [here('orca.sh'), url, browser, locale, steps], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (chunk) => (output += chunk));
    child.on('close', () => resolve(output));
  });
}

const runs = readdirSync(here('steps'))
  .filter((file) => file.endsWith('.txt'))
  .flatMap((file) => {
    const steps = here(`steps/${file}`);
    const [, page, only] = /^# page (\S+)(?: only (\S+))?$/m.exec(readFileSync(steps, 'utf8')) ?? [];
    const locale = /\.(zh_..)\.txt$/.exec(file)?.[1];
    if (!page || !locale) throw new Error(`steps/${file} names no page, or its name no locale`);
    return (only ? [only] : ['firefox', 'chromium']).map((browser) => ({
      steps,
      page,
      browser,
      locale,
      name: file.replace(/(\.zh_..)\.txt$/, `.${browser}$1`),
    }));
  })
  .filter(({ name }) => words.every((word) => name.includes(word)));

const origin = await httpOrigin();
mkdirSync(transcripts, { recursive: true });
let passed = 0;
let failed = 0;
for (const { steps, page, browser, locale, name } of runs) {
  const start = performance.now();
  const transcript = await orca(origin.url(page), browser, locale, steps);
  writeFileSync(`${transcripts}/${name}.txt`, transcript);
  const [, good, bad] = /^(\d+) passed, (\d+) failed\s*$/m.exec(transcript) ?? ['', '0', '1'];
  const seconds = Math.round((performance.now() - start) / 1000);
  console.log(`${name}: ${good} of ${Number(good) + Number(bad)} in ${seconds} s`);
  if (bad !== '0') console.log(transcript);
  passed += Number(good);
  failed += Number(bad);
}
origin.close();
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed > 0 || passed === 0 ? 1 : 0);
