// npm run coverage, after a build: each claim of the two texts, its verdict, the page that retells it and in which words.
// The last line counts; a claim without a place, or without the lab or paper that shows it, makes the command fail.
import { fileURLToPath } from 'node:url';
import { readCoverage } from '../web/site/coverage.ts';

const { rows, faults } = readCoverage(fileURLToPath(new URL('..', import.meta.url)));
for (const { claim, retold, reason } of rows) {
  const { id, verdict, says, is, shown } = claim;
  console.log(`${id}  ${verdict.padEnd(11)}  ${retold?.path.replace(/\/index\.html$/, '') ?? '–'}`);
  console.log(`     says: ${says}`);
  if (is) console.log(`     is: ${is} (${shown.join(', ')})`);
  console.log(`     ${retold?.text ?? reason ?? 'nowhere'}\n`);
}
for (const fault of faults) console.log(`FAIL ${fault}`);
console.log(`${rows.filter(({ retold }) => retold).length} retold, ${rows.filter(({ reason }) => reason).length} left out for a reason, ${faults.length} faults`);
process.exitCode = faults.length > 0 ? 1 : 0;
