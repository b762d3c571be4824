// The faults of the museum are in a module of their own, and nowhere else. Needs build/web/{core,museum}.js.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { facade } from '../../web/core/core.ts';
import { CoreError } from '../../web/core/errors.ts';
import { matrix } from '../../web/core/matrix.ts';
import { museum } from '../../web/core/museum.ts';
import { coreModuleInNode, loadAllInNode, museumModuleInNode, museumPath } from '../../web/core/node.ts';

const root = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');
const camel = (name: string): string => name.replace(/_([a-z0-9])/g, (_, c: string) => c.toUpperCase());
const inFolder = (folder: string, ending: string): string[] =>
  readdirSync(new URL(folder, root)).filter((name) => name.endsWith(ending)).map((name) => read(`${folder}/${name}`));

const bound = [...inFolder('cpp/wasm_museum', '.cpp').join('\n').matchAll(/MUSEUM_FUNCTION\((\w+)\);/g)].map((match) => match[1]!);
const headers = inFolder('cpp/museum', '.hpp').join('\n');

test('the module exports the twelve faults, and the facade describes exactly these', async () => {
  const raw = await (await museumModuleInNode()).loadRaw();
  assert.equal(bound.length, 12);
  for (const name of bound) assert.equal(typeof raw[camel(name)], 'function', name);
  assert.deepEqual(Object.keys(museum).sort(), bound.map(camel).sort());
});

test('every fault is declared in a header of the museum, with the argument names of the facade', () => {
  for (const name of bound) {
    const declared = new RegExp(`[\\w>&] ${name}\\(([^;]*?)\\);`).exec(headers);
    assert.ok(declared, `${name} is in no header`);
    const names = declared[1]!.replace(/=[^,]*/g, '').split(/,(?![^<]*>)/).map((argument) => camel(/(\w+)\s*$/.exec(argument)![1]!));
    assert.deepEqual(Object.keys(museum[camel(name) as keyof typeof museum]), names, name);
  }
});

test('the core has none of them, neither as an export nor as a name in its script', async () => {
  const raw = await (await coreModuleInNode()).loadRaw();
  for (const name of bound.map(camel)) {
    assert.equal(raw[name], undefined, name);
    assert.ok(!Object.hasOwn(facade, name), name);
  }
  assert.doesNotMatch(inFolder('cpp/wasm', '.cpp').join('\n') + inFolder('cpp/src', '.cpp').join('\n'), /museum/);
});

test('the museum has none of the core', async () => {
  const raw = await (await museumModuleInNode()).loadRaw();
  assert.deepEqual(Object.keys(facade).filter((name) => raw[name] !== undefined), []);
});

test('a fault refuses with the codes of the core', async () => {
  const all = await loadAllInNode();
  const code = (call: () => unknown): string => {
    try {
      call();
    } catch (error) {
      return error instanceof CoreError ? error.code : String(error);
    }
    return 'none';
  };
  const x = matrix([[1, 2], [3, 4]]);
  assert.equal(code(() => all.attentionMinusBillion(x, matrix([[1]]), x)), 'shape-mismatch');
  assert.equal(code(() => all.attentionMaskedLate(x, x, x, { mask: matrix([[1]]) })), 'shape-mismatch');
  assert.equal(code(() => all.attentionAveragedBlocks(x, x, x, 0)), 'invalid-argument');
  assert.equal(code(() => all.softmaxOverColumns(matrix([[NaN]]))), 'not-finite');
  assert.equal(code(() => all.layerNormSample(x, { epsilon: '1' as never })), 'invalid-argument');
});

test('museum.js costs at most 60 KiB over the wire', () => {
  const bytes = gzipSync(readFileSync(museumPath), { level: 9 }).length;
  console.log(`museum.js: ${bytes} bytes, gzip -9`);
  assert.ok(bytes <= 60 * 1024, `${bytes} bytes`);
});
