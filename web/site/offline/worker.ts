// The service worker, dist/sw.js. It looks after one version of the site, whose files it knows by their contents: what it
// keeps is always of that version. A new version waits until every tab is closed, or until a page says take-over.
import type { Kept, Reply, Request as Asked, Status } from './protocol.ts';

/** Put in by the build. */
declare const FILES: Kept[];
declare const VERSION: string;
/** What every page needs, and the pages that say what can be read without a network. */
declare const CORE: string[];

interface ExtendableEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface FetchEvent extends ExtendableEvent {
  request: globalThis.Request;
  clientId: string;
  resultingClientId: string;
  respondWith(response: Promise<Response>): void;
}
interface MessageFromPage extends ExtendableEvent {
  data: Asked;
  ports: readonly MessagePort[];
}
interface Scope {
  registration: { scope: string; update(): Promise<unknown> };
  clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install' | 'activate', listener: (event: ExtendableEvent) => void): void;
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void;
  addEventListener(type: 'message', listener: (event: MessageFromPage) => void): void;
}

const scope = globalThis as unknown as Scope;
const NAME = `attn-${VERSION}`;
const NOT_SAVED = 'not-saved/index.html';
/** As many files at a time as a small server answers gladly. */
const AT_ONCE = 6;

const byPath = new Map(FILES.map((file) => [file.path, file]));
const addressOf = (path: string): string => new URL(path, scope.registration.scope).href;

/** The path that an address inside the site means, index.html added; undefined for other addresses. */
function pathOf(url: string): string | undefined {
  const base = scope.registration.scope;
  const address = new URL(url);
  const bare = address.origin + address.pathname;
  if (!bare.startsWith(base)) return undefined;
  const path = decodeURIComponent(bare.slice(base.length));
  return path === '' || path.endsWith('/') ? `${path}index.html` : path;
}

async function digest(bytes: ArrayBuffer): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The server has another version of a file by now. */
class Newer extends Error {}

/** Keeps a response, if it is what this version has at that path. */
async function keep(cache: Cache, file: Kept, response: Response): Promise<void> {
  if (!response.ok) throw new Newer(file.path);
  const headers = new Headers(response.headers);
  // What is kept is unpacked already.
  for (const name of ['content-encoding', 'content-length']) headers.delete(name);
  const bytes = await response.arrayBuffer();
  if ((await digest(bytes)) !== file.sha256) throw new Newer(file.path);
  // A fresh response: one that was redirected may not answer a navigation.
  await cache.put(addressOf(file.path), new Response(bytes, { headers }));
}

/** Files of the same contents are fetched once: both editions have the same scripts. */
async function fetchAndKeep(cache: Cache, file: Kept): Promise<void> {
  if (await cache.match(addressOf(file.path))) return;
  for (const twin of FILES) {
    if (twin === file || twin.sha256 !== file.sha256) continue;
    const response = await cache.match(addressOf(twin.path));
    if (response) return keep(cache, file, response);
  }
  await keep(cache, file, await fetch(addressOf(file.path), { cache: 'no-cache' }));
}

/** What older versions kept, where this one has the same file; what changed is fetched, if it can be. */
async function takeOverOld(cache: Cache): Promise<void> {
  for (const name of await caches.keys()) {
    if (!name.startsWith('attn-') || name === NAME) continue;
    const old = await caches.open(name);
    for (const { url } of await old.keys()) {
      const file = byPath.get(pathOf(url) ?? '');
      if (!file || (await cache.match(url))) continue;
      const response = await old.match(url);
      try {
        await keep(cache, file, response!);
      } catch {
        await fetchAndKeep(cache, file).catch(() => undefined);
      }
    }
  }
}

/** Throws what went wrong first, but not before everything that was begun has ended. */
async function inTurns(files: Kept[], work: (file: Kept) => Promise<void>): Promise<void> {
  const queue = [...files];
  const turn = async () => {
    for (let file = queue.shift(); file; file = queue.shift())
      await work(file).catch((error) => {
        queue.length = 0;
        throw error;
      });
  };
  const ends = await Promise.allSettled(Array.from({ length: AT_ONCE }, turn));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

async function statusOf(cache: Cache, edition: string): Promise<Status> {
  const kept = new Set((await cache.keys()).map(({ url }) => pathOf(url)));
  const status: Status = { files: 0, ofFiles: 0, bytes: 0, ofBytes: 0 };
  for (const { path, bytes } of filesOf(edition)) {
    status.ofFiles += 1;
    status.ofBytes += bytes;
    if (!kept.has(path)) continue;
    status.files += 1;
    status.bytes += bytes;
  }
  return status;
}

/** The door belongs to both editions. */
const filesOf = (edition: string): Kept[] =>
  FILES.filter(({ path }) => path.startsWith(`${edition}/`) || !path.includes('/'));

async function keepAll(edition: string, say: (reply: Reply) => void): Promise<void> {
  const cache = await caches.open(NAME);
  const status = await statusOf(cache, edition);
  try {
    const missing: Kept[] = [];
    for (const file of filesOf(edition))
      if (!(await cache.match(addressOf(file.path)))) missing.push(file);
    await inTurns(missing, async (file) => {
      await fetchAndKeep(cache, file);
      status.files += 1;
      status.bytes += file.bytes;
      say({ type: 'progress', status });
    });
    say({ type: 'done', status });
  } catch (error) {
    const isFull = (error as Error).name === 'QuotaExceededError';
    const why = error instanceof Newer ? 'newer' : isFull ? 'space' : 'network';
    say({ type: 'failed', why, status: await statusOf(cache, edition) });
    if (why === 'newer') await scope.registration.update().catch(() => undefined);
  }
}

/** Pages that came from a newer version on the server load everything else from there too. */
const newerPages = new Set<string>();

/** The page that says, in the reader's script, that a page was not saved; its links lead from wherever it stands. */
async function notSaved(cache: Cache, path: string): Promise<Response> {
  const edition = path.split('/')[0]!;
  const page = await cache.match(addressOf(`${edition}/${NOT_SAVED}`));
  if (!page) {
    const door = await cache.match(addressOf('index.html'));
    return path === 'index.html' && door ? door : Response.error();
  }
  const up = '../'.repeat(Math.max(path.split('/').length - 2, 0));
  const html = (await page.text()).replace(/(href|src)="\.\.\//g, `$1="${up}`);
  return new Response(html, {
    status: 503,
    headers: { 'content-type': 'text/html; charset=utf-8' },
  });
}

async function answer({ request, clientId, resultingClientId }: FetchEvent, path: string): Promise<Response> {
  const cache = await caches.open(NAME);
  const isPage = request.mode === 'navigate';
  if (newerPages.has(clientId) && !isPage) return fetch(request);
  const kept = await cache.match(addressOf(path));
  if (kept) return kept;
  let response: Response;
  try {
    response = await fetch(request);
  } catch (error) {
    if (isPage) return notSaved(cache, path);
    throw error;
  }
  const file = byPath.get(path);
  if (file && response.ok)
    try {
      await keep(cache, file, response.clone());
    } catch (error) {
      // Full, or another version: the page is shown all the same.
      if (isPage && error instanceof Newer) {
        newerPages.add(resultingClientId);
        void scope.registration.update().catch(() => undefined);
      }
    }
  return response;
}

scope.addEventListener('install', (event) => {
  const work = async () => {
    const cache = await caches.open(NAME);
    await takeOverOld(cache);
    // One after the other, so that twins are seen.
    for (const path of CORE) await fetchAndKeep(cache, byPath.get(path)!);
  };
  event.waitUntil(work());
});

scope.addEventListener('activate', (event) => {
  const work = async () => {
    for (const name of await caches.keys())
      if (name.startsWith('attn-') && name !== NAME) await caches.delete(name);
    await scope.clients.claim();
  };
  event.waitUntil(work());
});

scope.addEventListener('fetch', (event) => {
  const path = event.request.method === 'GET' ? pathOf(event.request.url) : undefined;
  if (path !== undefined && path !== 'sw.js') event.respondWith(answer(event, path));
});

scope.addEventListener('message', (event) => {
  const { data, ports } = event;
  const say = (reply: Reply) => ports[0]?.postMessage(reply);
  const work = async () => {
    const cache = await caches.open(NAME);
    if (data.type === 'take-over') await scope.skipWaiting();
    else if (data.type === 'status') say({ type: 'status', status: await statusOf(cache, data.edition) });
    else if (data.type === 'keep-all') await keepAll(data.edition, say);
    else
      for (const url of data.urls) {
        const file = byPath.get(pathOf(url) ?? '');
        if (file) await fetchAndKeep(cache, file).catch(() => undefined);
      }
  };
  event.waitUntil(work());
});
