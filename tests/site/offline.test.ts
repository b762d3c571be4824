// What is kept for reading without a network, what the course is called when installed, and the files for hosting.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { parse } from 'yaml';
import { CSP } from '../../web/site/csp.ts';
import { filesOf, ICONS, isCore, writeWorker } from '../../web/site/offline/build.ts';
import { canKeep, megabytes } from '../../web/site/offline/client.ts';
import { SCRIPTS, type Script } from '../../web/site/scripts.ts';
import { DIST } from './dist.ts';

const scripts = Object.keys(SCRIPTS) as Script[];

describe('where the worker may be', () => {
  const able = { serviceWorker: {} };
  for (const [protocol, hostname, want] of [
    ['https:', 'course.example.org', true],
    ['http:', '127.0.0.1', true],
    ['http:', 'localhost', true],
    ['http:', '[::1]', true],
    ['http:', '192.168.1.7', false],
    ['http:', 'localhost.example.org', false],
    ['file:', '', false],
  ] as const)
    test(`${protocol}//${hostname} ${want ? 'may' : 'may not'} have it`, () => {
      assert.equal(canKeep({ protocol, hostname }, able), want);
      assert.equal(canKeep({ protocol, hostname }, {}), false, 'nor may a browser without workers');
    });
  test('a size is said in megabytes', () => {
    assert.equal(megabytes(5_177_228), '5.2');
  });
});

describe('what is kept', () => {
  const files = filesOf(DIST);
  const worker = readFileSync(join(DIST, 'sw.js'), 'utf8');
  test('the worker knows every file of this dist/ by its contents', () => {
    for (const { path, sha256, bytes } of files) {
      const at = worker.indexOf(`path:"${path}"`);
      assert.ok(at > 0, path);
      const entry = worker.slice(at, worker.indexOf('}', at));
      assert.ok(entry.includes(`sha256:"${sha256}"`), `${path} is another one`);
      assert.equal(Number(/bytes:([\de]+)/.exec(entry)?.[1]), bytes, path);
    }
  });
  test('from the first visit on: the door, and for each edition its map, its two pages about this and what every page loads', () => {
    const core = files.map(({ path }) => path).filter(isCore);
    for (const script of scripts) {
      for (const path of ['index.html', 'offline/index.html', 'not-saved/index.html'])
        assert.ok(core.includes(`${script}/${path}`), path);
      const map = readFileSync(join(DIST, script, 'index.html'), 'utf8');
      for (const [, asset] of map.matchAll(/(?:src|href)="(assets\/[^"]+)"/g))
        if (/site|theme|icon/.test(asset!)) assert.ok(core.includes(`${script}/${asset}`), asset);
      assert.ok(core.includes(`${script}/assets/core.js`));
    }
    assert.ok(core.includes('index.html'));
    const size = files.filter(({ path }) => isCore(path)).reduce((sum, { bytes }) => sum + bytes, 0);
    assert.ok(size < 1.5e6, `${size} bytes at the first visit`);
  });
  test('another file is another version, and the same files are the same one', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'attn-worker-'));
    try {
      const made = async () => {
        await writeWorker(process.cwd(), folder);
        return readFileSync(join(folder, 'sw.js'), 'utf8');
      };
      writeFileSync(join(folder, 'index.html'), 'a');
      const first = await made();
      assert.equal(await made(), first);
      writeFileSync(join(folder, 'index.html'), 'b');
      const second = await made();
      const version = (text: string) => /attn-[0-9a-f]{16}/.exec(text)?.[0];
      assert.notEqual(version(first), undefined);
      assert.notEqual(version(second), version(first));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('the manifest', () => {
  for (const script of scripts)
    test(`${script} is installed under its own name, in its own language, with icons of the sizes it says`, () => {
      const assets = join(DIST, script, 'assets');
      const manifest = JSON.parse(readFileSync(join(assets, 'manifest.webmanifest'), 'utf8'));
      assert.equal(manifest.name, script === 'zh-Hant' ? '注意力課伴' : '注意力课伴');
      assert.equal(manifest.lang, SCRIPTS[script].lang);
      assert.equal(manifest.start_url, '../index.html');
      for (const { src, sizes, type } of manifest.icons) {
        assert.ok(existsSync(join(assets, src)), src);
        if (type !== 'image/png') continue;
        const png = readFileSync(join(assets, src));
        assert.equal(png.subarray(1, 4).toString(), 'PNG');
        assert.equal(`${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`, sizes);
      }
      const purposes = ICONS.map(({ purpose }) => purpose);
      assert.deepEqual(purposes, ['any', 'any', 'maskable']);
    });
  test('no page links it by itself: from a file that would be an error', () => {
    for (const { path } of filesOf(DIST).filter(({ path }) => path.endsWith('.html')))
      assert.doesNotMatch(readFileSync(join(DIST, path), 'utf8'), /rel="?manifest/, path);
  });
});

describe('hosting', () => {
  const nginx = readFileSync('hosting/nginx.conf', 'utf8');
  const headers = new Map(
    [...nginx.matchAll(/^\s*add_header (\S+) "([^"]*)" always;$/gm)].map(([, name, value]) => [name, value]),
  );
  test('nginx sends the policy that every page carries', () => {
    assert.equal(headers.get('Content-Security-Policy'), CSP);
    assert.equal(headers.get('X-Content-Type-Options'), 'nosniff');
  });
  test('the policy lets the worker and the manifest come from the site, and nothing from elsewhere', () => {
    const rules = new Map(CSP.split('; ').map((rule) => [rule.split(' ')[0], rule.split(' ').slice(1)]));
    assert.deepEqual(rules.get('default-src'), ["'none'"]);
    assert.ok(rules.get('worker-src')!.includes("'self'"));
    assert.deepEqual(rules.get('manifest-src'), ["'self'"]);
    for (const [name, sources] of rules)
      for (const source of sources) assert.match(source, /^'|^(data|blob):$/, `${name} ${source}`);
  });
  test('nginx lets browsers ask whether a file has changed, and names the type of the manifest', () => {
    assert.equal(headers.get('Cache-Control'), 'no-cache');
    assert.match(nginx, /application\/manifest\+json webmanifest;/);
  });
  test('the workflow publishes what npm run build writes', () => {
    const { jobs } = parse(readFileSync('.github/workflows/pages.yml', 'utf8'));
    const { steps } = jobs.build;
    const built = steps.findIndex(({ run }: { run?: string }) => run === 'npm run build -- --yes');
    const sent = steps.findIndex(({ uses }: { uses?: string }) => uses?.startsWith('actions/upload-pages-artifact@'));
    assert.ok(built >= 0 && sent > built);
    assert.equal(steps[sent].with.path, 'dist');
    assert.equal(jobs.publish.needs, 'build');
  });
});
