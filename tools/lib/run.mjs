import { spawn } from 'node:child_process';
import { createWriteStream, existsSync, mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { Stop, adviceFor } from './stop.mjs';
import { ROOT, at } from './root.mjs';

const children = new Set();

function stopChildren(signal) {
  for (const child of children) child.kill(signal);
}

for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
])
  process.on(signal, () => {
    stopChildren('SIGTERM');
    console.error('\nStopped.');
    process.exit(code);
  });

/** The path of a command, or "" when PATH has none. */
export function onPath(command) {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const path = join(folder, command);
    if (folder && existsSync(path)) return path;
  }
  return '';
}

/**
 * Runs a program without a terminal and gives back {code, output}, output
 * being both streams together. `log` names a file in build/logs that keeps
 * it; `echo` shows it as it comes.
 */
export function run(command, args, { cwd = ROOT, env = {}, log = '', echo = false, seconds = 0 } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    children.add(child);
    let file = null;
    if (log) {
      mkdirSync(at('build/logs'), { recursive: true });
      file = createWriteStream(at('build/logs', `${log}.log`));
    }
    const timer =
      seconds > 0
        ? setTimeout(() => {
            output += `\nended after ${seconds} s\n`;
            child.kill('SIGKILL');
          }, seconds * 1000)
        : null;
    let output = '';
    const take = (stream) => (chunk) => {
      output += chunk;
      file?.write(chunk);
      if (echo) stream.write(chunk);
    };
    child.stdout.setEncoding('utf8').on('data', take(process.stdout));
    child.stderr.setEncoding('utf8').on('data', take(process.stderr));
    const end = (code) => {
      clearTimeout(timer);
      children.delete(child);
      file?.end();
      resolve({ code, output });
    };
    child.on('error', (error) => {
      output += `${command}: ${error.message}\n`;
      end(127);
    });
    child.on('close', (code, signal) => end(code ?? (signal ? 128 : 1)));
  });
}

/** Runs a program that must succeed; its last lines are the error otherwise. */
export async function must(what, command, args, options = {}) {
  const { code, output } = await run(command, args, options);
  if (code === 0) return output;
  const tail = options.echo ? '' : `\n${output.trimEnd().split('\n').slice(-40).join('\n')}\n`;
  throw new Stop(`${what} failed (${command} ended with ${code}).${tail}`, adviceFor(output));
}
