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

test('the JavaScript name is the C++ name in lowerCamel', async () => {
  const raw = await (await coreModuleInNode()).loadRaw();
  const runtime = new Set(['HEAP8', 'asm', 'ready', 'inspect', 'count_emval_handles', 'get_first_emval', 'getInheritedInstanceCount', 'getLiveInheritedInstances', 'flushPendingDeletes', 'setDelayFunction', 'calledRun', 'run', 'wasmBinary', 'locateFile']);
  const exported = Object.keys(raw).filter((key) => typeof raw[key] === 'function' && !key.startsWith('_') && !key.startsWith('dynCall_') && !runtime.has(key) && !/Error$/.test(key));
  assert.deepEqual(exported.sort(), bound.map(camel).sort());
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
