// Native and WebAssembly give the same numbers. Needs build/native/attn_parity and build/wasm/attn_parity.cjs.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { facade } from '../../web/core/core.ts';
import { buildDir } from '../../web/core/node.ts';

interface Line {
  readonly name: string;
  readonly agreement: string;
  readonly bits: readonly bigint[];
}

function linesOf(command: string, args: readonly string[]): Line[] {
  const dir = mkdtempSync(join(tmpdir(), 'parity-'));
  const file = join(dir, 'numbers');
  execFileSync(command, [...args, file]);
  const text = readFileSync(file, 'utf8');
  rmSync(dir, { recursive: true });
  return text
    .trim()
    .split('\n')
    .map((line) => {
      const [name, agreement, ...bits] = line.split(' ');
      return { name: name!, agreement: agreement!, bits: bits.map((hex) => BigInt(`0x${hex}`)) };
    });
}

const view = new DataView(new ArrayBuffer(8));
function numberOf(bits: bigint): number {
  view.setBigUint64(0, bits);
  return view.getFloat64(0);
}
/** Neighbouring doubles have neighbouring places, across zero too. */
const placeOf = (bits: bigint): bigint => (bits >> 63n ? -(bits & 0x7fffffffffffffffn) : bits);
const abs = (x: bigint): bigint => (x < 0n ? -x : x);

interface Row {
  agreement: string;
  count: number;
  ulp: bigint;
  relative: number;
}

const native = linesOf(join(buildDir, 'native/attn_parity'), []);
const wasm = linesOf(process.execPath, [join(buildDir, 'wasm/attn_parity.cjs')]);
const table = new Map<string, Row>();
const shapes: string[] = [];

native.forEach((line, i) => {
  const other = wasm[i];
  if (other?.name !== line.name || other.bits.length !== line.bits.length) {
    shapes.push(line.name);
    return;
  }
  const row = table.get(line.name) ?? { agreement: line.agreement, count: 0, ulp: 0n, relative: 0 };
  const numbers = line.bits.map(numberOf);
  const largest = Math.max(...numbers.filter(Number.isFinite).map(Math.abs), Number.MIN_VALUE);
  line.bits.forEach((bits, j) => {
    const theirs = other.bits[j]!;
    const gap = Math.abs(numberOf(theirs) - numbers[j]!) / largest;
    const ulp = abs(placeOf(bits) - placeOf(theirs));
    if (ulp > row.ulp) row.ulp = ulp;
    if (bits !== theirs && !(gap <= row.relative)) row.relative = gap;
    ++row.count;
  });
  table.set(line.name, row);
});

console.log('function · numbers compared · largest gap in ulp · relative to the largest number of a result');
for (const [name, row] of table)
  console.log(`${name.padEnd(28)} ${row.agreement.padEnd(6)} ${String(row.count).padStart(7)} ${String(row.ulp).padStart(8)} ${row.relative.toExponential(1)}`);

test('both programs print the same functions and shapes', () => {
  assert.equal(native.length, wasm.length);
  assert.deepEqual(shapes, []);
});

for (const [name, row] of table)
  test(`${name}: native and wasm agree`, () => {
    if (row.agreement === 'bits') assert.equal(row.ulp, 0n);
    else if (row.agreement === 'ulp') assert.ok(row.ulp <= 4n, `${row.ulp} ulp`);
    else assert.ok(row.relative <= 1e-12, `${row.relative} of the largest number`);
  });

test('every function of the facade is compared', () => {
  const camel = (name: string): string => name.replace(/_([a-z0-9])/g, (_, c: string) => c.toUpperCase());
  const compared = new Set([...table.keys()].map(camel));
  assert.deepEqual(Object.keys(facade).filter((name) => !compared.has(name)), []);
});
