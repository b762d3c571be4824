import createModule from 'attn:glue';
import packed from 'attn:wasm';
import { CoreError } from './errors.ts';
import type { RawModule } from './facade.ts';
import { makeFast, type Fast } from './fast.ts';

async function inflate(base64: string): Promise<ArrayBuffer> {
  const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return new Response(stream).arrayBuffer();
}

/** The module before the facade: for tests of the border. */
export async function loadRaw(): Promise<RawModule> {
  try {
    return await createModule({ wasmBinary: await inflate(packed), locateFile: (path) => path });
  } catch (cause) {
    throw new CoreError('unavailable', `unavailable: ${String(cause)}`);
  }
}

export async function loadFast(): Promise<Fast> {
  return makeFast(await loadRaw());
}
