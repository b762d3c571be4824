// One name for one thing: C++ header, binding, wasm module and facade.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { facade } from '../../web/core/core.ts';
import { errorCodes } from '../../web/core/errors.ts';
import { coreModuleInNode } from '../../web/core/node.ts';

const root = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');
const list = (dir: string): string[] =>
  readdirSync(new URL(dir, root))
    .filter((name) => /\.[ch]pp$/.test(name))
    .map((name) => `${dir}/${name}`);
const camel = (name: string): string => name.replace(/_([a-z0-9])/g, (_, c: string) => c.toUpperCase());

const bound = list('cpp/wasm')
  .filter((path) => /bindings_\w+\.cpp$/.test(path))
  .flatMap((path) => [...read(path).matchAll(/ATTN_FUNCTION\((\w+)\)/g)].map((match) => match[1]!));
const headers = list('cpp/include/attn').map(read).join('\n');

test('the module exports every bound function under the lowerCamel of its C++ name, and nothing is bound in another way', async () => {
  const raw = await (await coreModuleInNode()).loadRaw();
  assert.deepEqual(bound.map(camel).filter((name) => typeof raw[name] !== 'function'), []);
  assert.equal(new Set(bound).size, bound.length);
  for (const path of list('cpp/wasm'))
    if (!path.endsWith('marshal.hpp')) assert.doesNotMatch(read(path), /emscripten::function|class_<|value_object<|register_vector/, path);
});

test('the facade describes exactly the functions that the module exports', () => {
  assert.deepEqual(Object.keys(facade).sort(), bound.map(camel).sort());
});

test('every bound function is declared in a public header, with the argument names of the facade', () => {
  for (const name of bound) {
    const declaration = new RegExp(`[\\w>&] ${name}\\(([^;]*?)\\);`).exec(headers);
    assert.ok(declaration, `${name} is in no header`);
    const names = declaration[1]!
      .replace(/=[^,]*/g, '')
      .split(/,(?![^<]*>)/)
      .map((argument) => camel(/(\w+)\s*$/.exec(argument)?.[1] ?? ''))
      .filter((argument) => argument !== '');
    assert.deepEqual(Object.keys(facade[camel(name) as keyof typeof facade]), names, name);
  }
});

test('the error codes are those of error.cpp', () => {
  const codes = [...read('cpp/src/error.cpp').matchAll(/return "([a-z-]+)";/g)].map((match) => match[1]!);
  assert.deepEqual([...new Set(codes)], [...errorCodes]);
});
