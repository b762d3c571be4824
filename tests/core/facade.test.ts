// Every function of the core through the packed module: a valid call, and that call with each of its arguments spoilt.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callNamed, facade, makeCore, type CoreName } from '../../web/core/core.ts';
import { CoreError, errorCodes } from '../../web/core/errors.ts';
import type { RawModule } from '../../web/core/facade.ts';
import { coreModuleInNode } from '../../web/core/node.ts';
import { calls, type NamedArguments } from './facade-calls.ts';

interface Counters extends RawModule {
  readonly HEAP8: Int8Array;
  readonly count_emval_handles: () => number;
}

const raw = (await (await coreModuleInNode()).loadRaw()) as Counters;
const core = makeCore(raw);
const names = Object.keys(facade) as CoreName[];

/** The names of all arguments, those of an options struct among them. */
const argumentsOf = (name: CoreName): string[] =>
  Object.entries(facade[name]).flatMap(([key, entry]) => ('fields' in entry ? Object.keys(entry.fields) : [key]));

/** A value of another type: a number for an object or a list, an object for all else. */
const otherType = (value: unknown): unknown => (typeof value === 'object' ? 7 : {});

const state = (): [number, number] => [raw.count_emval_handles(), raw.HEAP8.length];

function refused(name: CoreName, given: NamedArguments, what: string): void {
  assert.throws(
    () => callNamed(core, name, given),
    (e: unknown) => {
      assert.ok(e instanceof CoreError, `${name} with ${what}: ${String(e)}`);
      assert.ok(errorCodes.includes(e.code) && e.code !== 'internal', `${name} with ${what}: ${e.message}`);
      return true;
    },
    `${name} takes ${what}`,
  );
}

for (const name of names) callNamed(core, name, calls[name]);
const before = state();

for (const name of names)
  test(`${name} answers a valid call and refuses each spoilt argument`, () => {
    const given = calls[name];
    assert.deepEqual(Object.keys(given).sort(), argumentsOf(name).sort(), 'every argument is given');
    assert.notEqual(callNamed(core, name, given), undefined);
    for (const [key, value] of Object.entries(given))
      for (const spoilt of [null, otherType(value), Symbol('no number')])
        refused(name, { ...given, [key]: spoilt }, `${String(spoilt)} as ${key}`);
    assert.deepEqual(state(), before);
  });

test('a call is written down for each function of the facade, and for no other', () => {
  assert.deepEqual(Object.keys(calls).sort(), [...names].sort());
});
