import { existsSync } from 'node:fs';
import { onPath } from './run.mjs';

const first = (...paths) => paths.find((path) => path && existsSync(path)) ?? '';

/** Chromium's path, or ""; ATTN_CHROMIUM names another one. */
export const chromiumPath = () =>
  first(
    process.env.ATTN_CHROMIUM,
    onPath('chromium'),
    onPath('chromium-browser'),
    onPath('google-chrome'),
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  );

/** Firefox's path, or ""; ATTN_FIREFOX names another one. */
export const firefoxPath = () =>
  first(
    process.env.ATTN_FIREFOX,
    onPath('firefox-esr'),
    onPath('firefox'),
    '/Applications/Firefox.app/Contents/MacOS/firefox',
  );

/** What makes headless Chromium quiet, offline and able to run as root. */
export const CHROMIUM_FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
