import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize, sep } from 'node:path';

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.csv': 'text/csv; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
};

/** What stands at a path, or nothing: a path through a file, or too long a name, is nothing too. */
function entry(path) {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

/** The file that a URL path means, or "" when it means none inside the folder. */
function fileFor(folder, url) {
  let path;
  try {
    path = decodeURIComponent(new URL(url, 'http://x').pathname);
  } catch {
    return '';
  }
  if (path.includes('\0')) return '';
  const file = normalize(join(folder, path));
  if (file !== folder && !file.startsWith(folder + sep)) return '';
  return file;
}

function answer(folder, request, response) {
  const plain = (status, headers = {}) =>
    response.writeHead(status, { 'content-type': 'text/plain', ...headers }).end(`${status}\n`);
  if (request.method !== 'GET' && request.method !== 'HEAD') return plain(405, { allow: 'GET, HEAD' });
  const file = fileFor(folder, request.url);
  const found = file && entry(file);
  if (found && found.isDirectory()) {
    const { pathname } = new URL(request.url, 'http://x');
    return plain(302, { location: join(pathname, 'index.html') });
  }
  if (!found || !found.isFile()) return plain(404);
  response.writeHead(200, {
    'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
    'content-length': found.size,
    'cache-control': 'no-cache',
    'x-content-type-options': 'nosniff',
  });
  if (request.method === 'HEAD') return response.end();
  return createReadStream(file)
    .on('error', () => response.destroy())
    .pipe(response);
}

function listen(server, port) {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve(server.address().port);
    });
  });
}

/**
 * Serves a folder on this machine alone, on `port` or, when that is taken, on
 * a free one. Gives back {server, port}.
 */
export async function serve(folder, port = 0) {
  const server = createServer((request, response) => answer(folder, request, response));
  try {
    return { server, port: await listen(server, port) };
  } catch (error) {
    if (error.code !== 'EADDRINUSE' && error.code !== 'EACCES') throw error;
    return { server, port: await listen(server, 0) };
  }
}
