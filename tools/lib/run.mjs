import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync, mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { Stop, adviceFor } from './stop.mjs';
import { ROOT, at } from './root.mjs';

const children = new Set();

/** Ends a program and all that it started: each has a process group. */
function end(child, signal) {
  try {
    process.kill(child.grouped ? -child.pid : child.pid, signal);
  } catch {
    // It has ended by itself.
  }
}

for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
])
  process.on(signal, () => {
    for (const child of children) end(child, 'SIGTERM');
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

/** Opened before the program starts, so that nothing runs on without its log. */
async function openLog(name) {
  const path = at('build/logs', `${name}.log`);
  try {
    mkdirSync(at('build/logs'), { recursive: true });
    const file = createWriteStream(path);
    await once(file, 'open');
    return file;
  } catch (error) {
    throw new Stop(`The log ${path} cannot be written (${error.code}).`, adviceFor(error.code));
  }
}

/**
 * Runs a program without a terminal and gives back {code, output}, output
 * being both streams together. `log` names a file in build/logs that keeps
 * it; `echo` shows it as it comes; `asks` leaves it the terminal, for a password.
 */
export async function run(command, args, { cwd = ROOT, env = {}, log = '', echo = false, seconds = 0, asks = false } = {}) {
  const file = log ? await openLog(log) : null;
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: !asks,
    });
    child.grouped = !asks;
    children.add(child);
    const timer =
      seconds > 0
        ? setTimeout(() => {
            output += `\nended after ${seconds} s\n`;
            end(child, 'SIGKILL');
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
    const close = (code) => {
      clearTimeout(timer);
      children.delete(child);
      file?.end();
      resolve({ code, output });
    };
    child.on('error', (error) => {
      output += `${command}: ${error.message}\n`;
      close(127);
    });
    child.on('close', (code, signal) => close(code ?? (signal ? 128 : 1)));
  });
}

/** Runs a program that must succeed; its last lines are the error otherwise. */
export async function must(what, command, args, options = {}) {
  const { code, output } = await run(command, args, options);
  if (code === 0) return output;
  const tail = options.echo ? '' : `\n${output.trimEnd().split('\n').slice(-40).join('\n')}\n`;
  throw new Stop(`${what} failed (${command} ended with ${code}).${tail}`, adviceFor(output));
}
