import { CoreError, type ErrorCode } from './errors.ts';
import { record, type Kind, type Optional, type Options } from './kinds.ts';

/** The arguments of one function by name, in the order of the C++ declaration. */
export type Parameters = Readonly<Record<string, Kind | Optional | Options>>;

/** A facade file: what each function of the interface `C` takes. */
export type Facade<C> = { readonly [Name in keyof C]: Parameters };

export type Reply = { readonly ok: unknown } | { readonly error: { readonly code: ErrorCode; readonly message: string } };

/** The module as embind exports it: every function of every facade file, and its heap. */
export interface RawModule {
  readonly [name: string]: unknown;
}

type Call = (...args: unknown[]) => unknown;

type Entry = Kind | Optional | Options;

const isRequired = (entry: Entry): entry is Kind => typeof entry === 'function';

/** The fields of the trailing object that an entry reads. */
function optionalFields(name: string, entry: Entry): Readonly<Record<string, Optional>> {
  if (isRequired(entry)) return {};
  return 'fields' in entry ? entry.fields : { [name]: entry };
}

const allOptionalFields = (parameters: Parameters): Readonly<Record<string, Optional>> =>
  Object.assign({}, ...Object.entries(parameters).map(([name, entry]) => optionalFields(name, entry)));

function invoke(raw: RawModule, name: string, args: readonly unknown[]): unknown {
  const call = raw[name];
  if (typeof call !== 'function') throw new CoreError('internal', `internal: the module has no ${name}`);
  let reply: Reply;
  try {
    reply = (call as (...args: readonly unknown[]) => Reply)(...args);
  } catch (cause) {
    // The browser, not C++, refused the memory for the copy of a result.
    const code = cause instanceof RangeError ? 'out-of-memory' : 'internal';
    throw new CoreError(code, `${code}: ${String(cause)}`);
  }
  if ('error' in reply) throw new CoreError(reply.error.code, reply.error.message);
  return reply.ok;
}

/** Required arguments by position, then one object for the optional ones. */
function checkedCall(raw: RawModule, name: string, parameters: Parameters): Call {
  const entries = Object.entries(parameters);
  const required = entries.filter(([, entry]) => isRequired(entry)).length;
  const fields = allOptionalFields(parameters);
  const most = required + (Object.keys(fields).length > 0 ? 1 : 0);
  const readOptions = record(fields);
  return (...given) => {
    if (given.length > most) throw new CoreError('invalid-argument', `invalid-argument: ${name} was given ${given.length} arguments`);
    const chosen = readOptions('options', given[required] ?? {}) as Record<string, unknown>;
    let place = 0;
    const args = entries.map(([key, entry]) => {
      if (isRequired(entry)) return entry(key, given[place++]);
      if (!('fields' in entry)) return chosen[key];
      return Object.fromEntries(Object.keys(entry.fields).filter((k) => k in chosen).map((k) => [k, chosen[k]]));
    });
    return invoke(raw, name, args);
  };
}

export function makeFunctions(raw: RawModule, facade: Readonly<Record<string, Parameters>>): Record<string, Call> {
  return Object.fromEntries(Object.entries(facade).map(([name, parameters]) => [name, checkedCall(raw, name, parameters)]));
}

/** Named arguments, `{scores: …, temperature: 2}`, in the order in which the facade takes them. */
export function positional(parameters: Parameters, named: Readonly<Record<string, unknown>>): unknown[] {
  const fields = allOptionalFields(parameters);
  const required = Object.keys(parameters).filter((key) => isRequired(parameters[key]!));
  const chosen: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(named)) {
    if (Object.hasOwn(fields, key)) chosen[key] = value;
    else if (!required.includes(key)) throw new CoreError('invalid-argument', `invalid-argument: there is no argument ${key}`);
  }
  const args = required.map((key) => named[key]);
  return Object.keys(chosen).length > 0 ? [...args, chosen] : args;
}
