import createModule from 'attn:glue';
import packed from 'attn:wasm';
import { CoreError } from './errors.ts';
import type { RawModule } from './facade.ts';

async function inflate(base64: string): Promise<ArrayBuffer> {
  const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return new Response(stream).arrayBuffer();
}

/** The module that was packed with this script, before the facade. */
export async function loadRaw(): Promise<RawModule> {
  try {
    return await createModule({ wasmBinary: await inflate(packed), locateFile: (path) => path });
  } catch (cause) {
    throw new CoreError('unavailable', `unavailable: ${String(cause)}`);
  }
}
