// The zip is the site, the same bytes each time, and opens from wherever it is unpacked.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { unzipSync } from 'fflate';
import { zipOf } from '../../tools/lib/bundle.mjs';
import { launch, open, visit } from './support/chromium.mts';
import { DIST, fileOrigin, pages } from './support/dist.mts';

test('the bundle opens from a folder with a space and Chinese in its name', async () => {
  const zip = await zipOf(DIST);
  assert.deepEqual(await zipOf(DIST), zip);
  const folder = mkdtempSync(join(tmpdir(), '課程 bundle-'));
  const browser = await launch();
  try {
    const files = unzipSync(zip);
    for (const [name, bytes] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), bytes);
    }
    for (const page of pages)
      assert.deepEqual(readFileSync(join(folder, 'attention-companion', page)), readFileSync(join(DIST, page)));
    const origin = fileOrigin(join(folder, 'attention-companion'));
    for (const page of pages.filter((p) => p === 'index.html' || p.includes('/lecture/'))) {
      const tab = await open(browser, origin);
      await visit(tab, origin.url(page));
      assert.deepEqual(tab.problems, []);
      await tab.close();
    }
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true });
  }
});
