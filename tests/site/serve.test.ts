// The server of `npm start`: it answers every address with a status and lives on.
import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Server } from 'node:http';
import { serve } from '../../tools/lib/serve.mjs';

let server: Server;
let origin = '';
before(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'attn-serve-'));
  writeFileSync(join(folder, 'index.html'), 'hello');
  const started = (await serve(folder, 0)) as { server: Server; port: number };
  server = started.server;
  origin = `http://127.0.0.1:${started.port}`;
});
after(() => void server.close());

const status = async (path: string): Promise<number> => (await fetch(origin + path)).status;

for (const [what, path, want] of [
  ['a file', '/index.html', 200],
  ['no file', '/none.html', 404],
  ['a path through a file', '/index.html/x', 404],
  ['a name of 300 characters', `/${'a'.repeat(300)}`, 404],
  ['a broken escape', '/%E0%A4%A', 404],
  ['a zero byte', '/%00', 404],
  ['a way out of the folder', '/..%2f..%2fetc%2fpasswd', 404],
] as const)
  test(`${what} gets ${want}`, async () => {
    assert.equal(await status(path), want);
    assert.equal(await status('/index.html'), 200);
  });
