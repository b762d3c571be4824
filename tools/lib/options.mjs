import { parseArgs } from 'node:util';
import { Stop } from './stop.mjs';

/** Reads a command's options, or stops with what it takes. */
export function optionsOf(args, options, usage) {
  try {
    const { values } = parseArgs({
      args,
      options: { ...options, help: { type: 'boolean' } },
    });
    if (values.help) throw new Stop('help was asked for.', usage);
    return values;
  } catch (error) {
    if (error instanceof Stop) throw error;
    throw new Stop(error.message, usage);
  }
}
