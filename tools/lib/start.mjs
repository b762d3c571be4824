import { build } from './build.mjs';
import { optionsOf } from './options.mjs';
import { at } from './root.mjs';
import { serve } from './serve.mjs';
import { Stop } from './stop.mjs';

const PORT = 8080;
const USAGE = 'npm start -- [--yes] [--port NUMBER]';

function portOf(text) {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65535) throw new Stop(`--port takes a number from 0 to 65535, not ${text}.`, USAGE);
  return port;
}

export async function main(args) {
  const { yes, port: wanted } = optionsOf(
    args,
    { yes: { type: 'boolean' }, port: { type: 'string', default: `${PORT}` } },
    USAGE,
  );
  const asked = portOf(wanted);
  await build({ yes });
  const { port } = await serve(at('dist'), asked);
  if (asked !== 0 && port !== asked) console.log(`Port ${asked} cannot be used here, so this is another one.`);
  console.log(`\n  http://127.0.0.1:${port}/index.html\n`);
  console.log('Press Ctrl+C to stop.');
  return new Promise(() => {});
}
