// Brings a module that an old toolchain wrote for relaxed SIMD up to the standard: LLVM 14 and Binaryen 108 know f32x4.relaxed_madd
// only by the opcode of a draft, fd af 01, which is fd 85 02 now: as long, with the same operands. The instructions are decoded, since
// the same three bytes may as well be part of a constant. A module that is already standard passes through unchanged.
// Usage: node --import tsx tools/relax.mts IN.wasm OUT.wasm
import { readFile, writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';

const draftMultiplyAdd = 0xaf;
const multiplyAdd = [0x85, 0x02];

/** Reads a module's bytes from a place on; every read moves the place. */
class Reader {
  readonly bytes: Uint8Array;
  place: number;

  constructor(bytes: Uint8Array, place: number) {
    this.bytes = bytes;
    this.place = place;
  }

  byte(): number {
    const byte = this.bytes[this.place++];
    if (byte === undefined) throw new Error('the module ends inside an instruction');
    return byte;
  }

  skip(count: number): void {
    this.place += count;
    if (this.place > this.bytes.length) throw new Error('the module ends inside an instruction');
  }

  /** LEB128 of up to 32 bits, unsigned. */
  number(): number {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
    throw new Error('a number is longer than 32 bits');
  }

  /** LEB128 of any length and sign, of which only the length matters. */
  skipNumber(): void {
    while (this.byte() >= 0x80);
  }
}

type Immediates = (reader: Reader) => void;

const none: Immediates = () => {};
const numbers =
  (count: number): Immediates =>
  (reader) => {
    for (let i = 0; i < count; i++) reader.skipNumber();
  };
const bytes =
  (count: number): Immediates =>
  (reader) =>
    reader.skip(count);
const list: Immediates = (reader) => numbers(reader.number())(reader);
/** Alignment (with a bit that says that a memory's index follows) and offset. */
const memory: Immediates = (reader) => numbers(reader.number() & 0x40 ? 2 : 1)(reader);
const memoryAndLane: Immediates = (reader) => {
  memory(reader);
  reader.skip(1);
};

const range = (first: number, last: number, immediates: Immediates): [number, Immediates][] =>
  Array.from({ length: last - first + 1 }, (_, i) => [first + i, immediates]);

/** WebAssembly 2.0 with tail calls and exceptions (of both proposals). */
const plain = new Map<number, Immediates>([
  ...range(0x00, 0x01, none), // unreachable, nop
  ...range(0x02, 0x04, numbers(1)), // block, loop, if: a type
  [0x05, none], // else
  ...range(0x06, 0x09, numbers(1)), // try, catch, throw, rethrow
  [0x0a, none], // throw_ref
  [0x0b, none], // end
  ...range(0x0c, 0x0d, numbers(1)), // br, br_if
  [
    0x0e, // br_table
    (reader) => {
      list(reader);
      reader.skipNumber();
    },
  ],
  [0x0f, none], // return
  [0x10, numbers(1)], // call
  [0x11, numbers(2)], // call_indirect
  [0x12, numbers(1)], // return_call
  [0x13, numbers(2)], // return_call_indirect
  [0x18, numbers(1)], // delegate
  [0x19, none], // catch_all
  ...range(0x1a, 0x1b, none), // drop, select
  [0x1c, list], // select with types
  ...range(0x20, 0x26, numbers(1)), // locals, globals, tables
  ...range(0x28, 0x3e, memory), // loads and stores
  ...range(0x3f, 0x42, numbers(1)), // memory.size, memory.grow, i32.const, i64.const
  [0x43, bytes(4)], // f32.const
  [0x44, bytes(8)], // f64.const
  ...range(0x45, 0xc4, none), // arithmetic
  [0xd0, numbers(1)], // ref.null
  [0xd1, none], // ref.is_null
  [0xd2, numbers(1)], // ref.func
]);

const bulk = new Map<number, Immediates>([
  ...range(0, 7, none), // saturating conversions
  [8, numbers(2)], // memory.init
  [9, numbers(1)], // data.drop
  [10, numbers(2)], // memory.copy
  [11, numbers(1)], // memory.fill
  [12, numbers(2)], // table.init
  [13, numbers(1)], // elem.drop
  [14, numbers(2)], // table.copy
  ...range(15, 17, numbers(1)), // table.grow, table.size, table.fill
]);

const simd = new Map<number, Immediates>([
  ...range(0x00, 0x0b, memory), // v128.load … v128.store
  ...range(0x0c, 0x0d, bytes(16)), // v128.const, i8x16.shuffle
  ...range(0x0e, 0x14, none), // swizzle, splats
  ...range(0x15, 0x22, bytes(1)), // extract and replace a lane
  ...range(0x23, 0x53, none), // comparisons, bits
  ...range(0x54, 0x5b, memoryAndLane), // load and store a lane
  ...range(0x5c, 0x5d, memory), // v128.load32_zero, v128.load64_zero
  ...range(0x5e, 0xff, none), // arithmetic, the draft's multiply-adds among it
  ...range(0x100, 0x113, none), // relaxed SIMD as it became standard
]);

/** Passes one instruction; the place and number of its SIMD opcode, if it is one. */
function instruction(reader: Reader): { readonly place: number; readonly opcode: number } | undefined {
  const first = reader.byte();
  const prefixed = first === 0xfc ? bulk : first === 0xfd ? simd : undefined;
  const place = reader.place;
  const opcode = prefixed ? reader.number() : first;
  const immediates = (prefixed ?? plain).get(opcode);
  if (!immediates) throw new Error(`unknown opcode ${prefixed ? `${first.toString(16)} ` : ''}${opcode.toString(16)} at byte ${place - 1}`);
  immediates(reader);
  return first === 0xfd ? { place, opcode } : undefined;
}

function relaxFunction(reader: Reader, end: number): number {
  let count = 0;
  for (let groups = reader.number(); groups > 0; groups--) numbers(2)(reader); // locals
  while (reader.place < end) {
    const found = instruction(reader);
    if (found?.opcode !== draftMultiplyAdd) continue;
    if (reader.place - found.place !== multiplyAdd.length) throw new Error(`an opcode of unusual length at byte ${found.place}`);
    reader.bytes.set(multiplyAdd, found.place);
    count++;
  }
  if (reader.place !== end) throw new Error(`a function ends at byte ${reader.place}, not ${end}`);
  return count;
}

export interface Relaxed {
  readonly bytes: Uint8Array;
  /** How many opcodes were replaced. */
  readonly count: number;
}

export function relaxed(module: Uint8Array): Relaxed {
  // A copy: `slice` of a Buffer would be a view.
  const reader = new Reader(new Uint8Array(module), 8);
  if (String.fromCharCode(...module.subarray(0, 4)) !== '\0asm' || module[4] !== 1) throw new Error('not a WebAssembly module of version 1');
  let count = 0;
  while (reader.place < module.length) {
    const section = reader.byte();
    const size = reader.number();
    const end = reader.place + size;
    if (end > module.length) throw new Error('a section ends beyond the module');
    if (section !== 10) {
      reader.place = end;
      continue;
    }
    for (let functions = reader.number(); functions > 0; functions--) {
      const length = reader.number();
      count += relaxFunction(reader, reader.place + length);
    }
    if (reader.place !== end) throw new Error('the code section is not as long as its functions');
  }
  return { bytes: reader.bytes, count };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [from, to] = process.argv.slice(2);
  if (!from || !to) throw new Error('usage: relax.mts IN.wasm OUT.wasm');
  const result = relaxed(await readFile(from));
  await writeFile(to, result.bytes);
  console.log(`${result.count} opcodes replaced`);
}
