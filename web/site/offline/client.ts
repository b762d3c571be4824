import { announce } from '../announce.ts';
import { t } from '../strings.ts';
import type { Reply, Request, Status } from './protocol.ts';

/**
 * Whether a page may ask for the service worker: from a server that nobody can imitate, or from this very machine; never
 * from a file, and never over plain http, where browsers refuse it.
 */
export function canKeep(
  { protocol, hostname }: Pick<Location, 'protocol' | 'hostname'>,
  browser: object,
): boolean {
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  return (protocol === 'https:' || (protocol === 'http:' && isHere)) && 'serviceWorker' in browser;
}

/** Megabytes with one decimal: bytes of the files, unpacked. */
export const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1);

const slots = ({ files, ofFiles, bytes, ofBytes }: Status) => ({
  files,
  of: ofFiles,
  kept: megabytes(bytes),
  size: megabytes(ofBytes),
});

/** Asks the worker; answers come one by one until the last. */
function ask(worker: ServiceWorker, request: Request, hear: (reply: Reply) => void): void {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = ({ data }: MessageEvent<Reply>) => hear(data);
  worker.postMessage(request, [port2]);
}

/** The root of this edition and of the site, from the address of the edition's own script. */
interface Place {
  edition: string;
  root: URL;
  assets: URL;
}

function placeOf(script: string): Place {
  const assets = new URL('.', script);
  const root = new URL('../../', assets);
  return { assets, root, edition: new URL('..', assets).pathname.split('/').at(-2)! };
}

/** Browsers look for it when the page stands; a link in the page would be an error when it was opened as a file. */
function offerInstall({ assets }: Place): void {
  const link = document.createElement('link');
  link.rel = 'manifest';
  link.href = new URL('manifest.webmanifest', assets).href;
  document.head.append(link);
}

/** Says at the foot of the page that a newer version waits, and changes to it when asked. */
function offerUpdate(registration: ServiceWorkerRegistration): void {
  const note = document.querySelector<HTMLElement>('[data-update]');
  const button = note?.querySelector('button');
  const words = note?.querySelector('span');
  if (!note || !button || !words) return;
  words.textContent = t('site.say.update.note');
  const show = () => {
    // The very first version waits too, for a moment, but for no other.
    note.hidden = !(registration.waiting && registration.active);
  };
  registration.addEventListener('updatefound', () => {
    const next = registration.installing;
    next?.addEventListener('statechange', () => {
      const wasHidden = note.hidden;
      show();
      if (wasHidden && !note.hidden) announce(t('site.say.update.found'));
    });
  });
  button.addEventListener('click', () => {
    const { waiting } = registration;
    if (!waiting) return show();
    announce(t('site.say.update.now'));
    navigator.serviceWorker.addEventListener('controllerchange', () => location.reload());
    ask(waiting, { type: 'take-over' }, () => {});
  });
  show();
}

/** The part of the page about reading without a network that the script brings to life. */
function setUpWholeCourse(worker: ServiceWorker, { edition }: Place): void {
  const part = document.querySelector<HTMLElement>('[data-offline]');
  const button = part?.querySelector('button');
  const state = document.querySelector<HTMLElement>('[data-offline-state]');
  if (!part || !button || !state) return;
  const say = (key: string, status: Status) => {
    state.textContent = t(`site.offline.${key}`, slots(status));
  };
  const saved = ({ files, ofFiles }: Status) => (files === ofFiles ? 'all' : 'some');
  let isAtWork = false;
  const hear = (reply: Reply) => {
    const { status } = reply;
    if (reply.type === 'status') {
      say(saved(status), status);
      button.textContent = t('site.offline.button', slots(status));
      part.hidden = false;
    } else if (reply.type === 'progress') {
      const half = Math.ceil(status.ofFiles / 2);
      if (status.files === half) announce(t('site.say.offline.half'));
      say('progress', status);
    } else {
      isAtWork = false;
      const key = reply.type === 'done' ? 'all' : `failed.${reply.why}`;
      say(key, status);
      announce(t(`site.say.offline.${reply.type === 'done' ? 'done' : 'failed'}`));
    }
  };
  button.addEventListener('click', () => {
    if (isAtWork) return;
    isAtWork = true;
    announce(t('site.say.offline.begun'));
    ask(worker, { type: 'keep-all', edition }, hear);
  });
  ask(worker, { type: 'status', edition }, hear);
}

/** What the page was made of before the worker was there to see it; itself last, so that it is not kept without its parts. */
const madeOf = (): string[] => [
  ...performance.getEntriesByType('resource').map(({ name }) => name),
  location.href,
];

const script = typeof document === 'undefined' ? null : (document.currentScript as HTMLScriptElement | null);

/** Makes the site one that can be installed and read without a network, where the browser allows it. */
export function setUpOffline(): void {
  if (!script || !canKeep(location, navigator)) return;
  const place = placeOf(script.src);
  offerInstall(place);
  const { serviceWorker } = navigator;
  const begin = async () => {
    const registration = await serviceWorker.register(new URL('sw.js', place.root), {
      scope: place.root.href,
      updateViaCache: 'none',
    });
    offerUpdate(registration);
    const wasThere = serviceWorker.controller !== null;
    const { active } = await serviceWorker.ready;
    if (!wasThere) ask(active!, { type: 'keep', urls: madeOf() }, () => {});
    setUpWholeCourse(active!, place);
  };
  // What the reader came for goes first.
  const later = () => void begin().catch(() => undefined);
  if (document.readyState === 'complete') later();
  else addEventListener('load', later, { once: true });
}
