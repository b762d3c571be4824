// The rewriting of a draft's opcode: instructions are changed, and nothing that only looks like one.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { relaxed } from '../../tools/relax.mts';

const draft = [0xfd, 0xaf, 0x01]; // f32x4.fma of the draft
const standard = [0xfd, 0x85, 0x02]; // f32x4.relaxed_madd
const end = 0x0b;
const drop = 0x1a;

const leb = (n: number): number[] => (n < 0x80 ? [n] : [(n & 0x7f) | 0x80, ...leb(n >>> 7)]);
const sized = (bytes: readonly number[]): number[] => [...leb(bytes.length), ...bytes];
const section = (id: number, bytes: readonly number[]): number[] => [id, ...sized(bytes)];

/** A module of functions () → (), with a table, a memory, and data that begins with the draft's bytes. */
function moduleOf(...bodies: readonly (readonly number[])[]): Uint8Array {
  const locals = [1, 1, 0x7b]; // one v128
  return Uint8Array.of(
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, 0x60, 0, 0]),
    ...section(3, [...leb(bodies.length), ...bodies.map(() => 0)]),
    ...section(4, [1, 0x70, 0, 1]),
    ...section(5, [1, 0, 1]),
    ...section(12, [1]),
    ...section(10, [...leb(bodies.length), ...bodies.flatMap((body) => sized([...locals, ...body, end]))]),
    ...section(11, [1, 0, 0x41, 0, end, ...sized([...draft, 1, 2])]),
  );
}

const zero = [0x41, 0, 0xfd, 0x11]; // i32.const 0, i32x4.splat
const fma = (opcode: readonly number[]): number[] => [...zero, ...zero, ...zero, ...opcode, drop];
const constant = [0xfd, 0x0c, ...draft, ...draft, 0, ...draft, ...draft, 9, 9, 9]; // v128.const

/** Every way in which the three bytes can stand inside an immediate. */
const lookalikes = [
  ...[...constant, drop],
  ...[...zero, ...constant, 0xfd, 0x0d, ...[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15], drop], // i8x16.shuffle
  ...[0x43, 0x00, ...draft, drop], // f32.const
  ...[0x44, 1, ...draft, ...draft, 7, drop], // f64.const
  ...[0x41, 0xfd, 0xaf, 0x01, drop], // i32.const 22525
  ...[0x42, 0xfd, 0xaf, 0x01, drop], // i64.const 22525
  ...[0x41, 0, 0x28, 2, 0xfd, 0xaf, 0x01, drop], // i32.load offset=22525
  ...[0x41, 0, 0xfd, 0x00, 4, 0xfd, 0xaf, 0x01, drop], // v128.load offset=22525
  ...[0x41, 0, ...zero, 0xfd, 0x56, 2, 0xfd, 0xaf, 0x01, 3, drop], // v128.load32_lane offset=22525
];

/** Instructions with immediates of every form. */
const assortment = [
  ...[0x02, 0x40, 0x41, 0, 0x0e, 1, 0, 0, end], // block, br_table
  ...[0x02, 0x40, 0x41, 0, 0x0d, 0, end], // br_if
  ...[0x41, 1, 0x41, 2, 0x41, 0, 0x1c, 1, 0x7f, drop], // select with a type
  ...[0x41, 0, 0x11, 0, 0], // call_indirect
  ...[0x41, 0, 0x41, 0, 0x41, 0, 0xfc, 0x0a, 0, 0], // memory.copy
  ...[0x41, 0, 0x41, 0, 0x41, 0, 0xfc, 0x0b, 0], // memory.fill
  ...[0x41, 0, 0x41, 0, 0x41, 0, 0xfc, 0x08, 0, 0], // memory.init
  ...[0xfc, 0x09, 0], // data.drop
  ...[0xd0, 0x70, 0xd1, drop], // ref.null, ref.is_null
  ...[0x3f, 0, drop], // memory.size
  ...[0x44, 0, 0, 0, 0, 0, 0, 0, 0, 0xfc, 2, drop], // i32.trunc_sat_f64_s
  ...[0x06, 0x40, 0x01, 0x19, end], // try, catch_all
];

const places = (bytes: Uint8Array, wanted: readonly number[]): number =>
  bytes.filter((_, i) => wanted.every((byte, k) => bytes[i + k] === byte)).length;

/** In an engine that is told to know relaxed SIMD. */
function validates(bytes: Uint8Array): boolean {
  const script = `process.stdout.write(String(WebAssembly.validate(Buffer.from('${Buffer.from(bytes).toString('base64')}', 'base64'))))`;
  // Newer engines know it, and refuse the flag that they no longer need.
  const flag = process.allowedNodeEnvironmentFlags.has('--experimental-wasm-relaxed-simd') || Number(process.versions.node.split('.')[0]) < 22;
  return execFileSync(process.execPath, [...(flag ? ['--experimental-wasm-relaxed-simd'] : []), '-e', script], { encoding: 'utf8' }) === 'true';
}

test('bytes inside immediates and data stay as they are', () => {
  const module = moduleOf(lookalikes, assortment);
  assert.ok(places(module, draft) >= 14);
  const { bytes, count } = relaxed(module);
  assert.equal(count, 0);
  assert.deepEqual(bytes, module);
  assert.ok(validates(module), 'the crafted module is one');
});

test('exactly the instructions are replaced, and the result is valid', () => {
  const body = [...lookalikes, ...fma(draft), ...assortment, ...fma(draft)];
  const module = moduleOf(body, lookalikes, fma(draft));
  const { bytes, count } = relaxed(module);
  assert.equal(count, 3);
  assert.equal(places(bytes, standard), 3);
  assert.equal(places(module, draft) - places(bytes, draft), 3);
  assert.equal(bytes.filter((byte, i) => byte !== module[i]).length, 2 * 3);
  assert.deepEqual(bytes, moduleOf([...lookalikes, ...fma(standard), ...assortment, ...fma(standard)], lookalikes, fma(standard)));
  assert.ok(validates(bytes));
  assert.ok(!validates(module));
});

test('what is given is not changed, not even a Buffer', () => {
  const module = moduleOf(fma(draft));
  const given = Buffer.from(module);
  assert.equal(relaxed(given).count, 1);
  assert.deepEqual(new Uint8Array(given), module);
});

test('a module of the standard passes through, and so does a second time', () => {
  const module = moduleOf(fma(standard));
  assert.deepEqual(relaxed(module), { bytes: module, count: 0 });
  assert.equal(relaxed(relaxed(moduleOf(fma(draft))).bytes).count, 0);
});

test('what the decoder does not know it refuses', () => {
  for (const unknown of [[0x1d], [0xc5], [0xd3], [0xfe, 0x00], [0xff], [0xfc, 18], [0xfd, 0x94, 0x02]])
    assert.throws(() => relaxed(moduleOf(unknown)), /unknown opcode/, String(unknown));
  assert.throws(() => relaxed(moduleOf([0xfd, 0xaf, 0x81, 0x00])), /unusual length/);
  assert.throws(() => relaxed(moduleOf([0x44, 1, 2])), /ends/);
  assert.throws(() => relaxed(moduleOf(fma(draft)).subarray(0, 50)), /ends/);
  assert.throws(() => relaxed(Uint8Array.of(0, 0x61, 0x73, 0x6d, 2, 0, 0, 0)), /version 1/);
  assert.throws(() => relaxed(new TextEncoder().encode('no module')), /version 1/);
});
