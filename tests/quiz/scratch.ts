import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { parse } from 'yaml';
import { loadAllInNode } from '../../web/core/node.ts';
import { loadQuestions } from '../../web/quiz/load.ts';
import { withNumbers } from '../../web/quiz/probes.ts';
import { renderQuestion, type CardContext } from '../../web/quiz/render.ts';
import type { Question } from '../../web/quiz/types.ts';
import { chooseDeep } from '../../web/site/transforms/variants.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string): string => readFileSync(root + path, 'utf8');

/** As written, both editions in one. */
export const written: Map<string, Question> = loadQuestions(`${root}lessons/questions`);
/** The Taiwan edition. */
export const bank = new Map([...written].map(([id, question]) => [id, chooseDeep(question, 'zh-Hant')]));
/** Done when the steps of the bank have their numbers; the core loads while the tests are declared. */
export const numbered: Promise<void> = loadAllInNode().then((core) => {
  for (const questions of [written, bank])
    for (const [id, question] of questions) questions.set(id, Object.assign(question, withNumbers(question, core)));
});
export const strings = parse(read('web/quiz/strings.yaml')) as Record<string, string>;

export function render(question: Question, context: Partial<CardContext> = {}): string {
  return renderQuestion(question, { number: 1, strings, ...context });
}

/** A page with nothing on it but questions. */
export function scratchPage(questions: Iterable<Question>, options: { theme?: string | undefined } = {}): string {
  const cards = [...questions].map((question, i) =>
    render(question, {
      number: i + 1,
      labHref: (lab, state) => `#page-${lab}${state === undefined ? '' : `?${state}`}`,
    }),
  );
  const theme = options.theme === undefined ? '' : ` data-theme="${options.theme}"`;
  return `<!doctype html><html lang="zh-TW"${theme}><head><meta charset="utf-8"><title>題目</title>
<meta name="viewport" content="width=device-width,initial-scale=1">
<style>${read('web/styles/tokens.css')}
${read('web/styles/quiz.css')}
body{margin:0 auto;max-width:46em;padding:1rem;background:var(--paper);color:var(--ink);font:var(--size-body)/var(--leading) var(--font-text)}
a{color:var(--accent)}
.vh{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}</style></head>
<body><main><h1>題目</h1><h2>想一想</h2>
${cards.join('\n')}
</main><p class="vh" role="status" aria-atomic="true" id="say"></p>
<script type="application/json" id="strings">${JSON.stringify(strings).replace(/</g, '\\u003c')}</script>
<script src="quiz.js"></script></body></html>`;
}

export async function bundleClient(): Promise<string> {
  const result = await build({
    stdin: {
      contents: `import { hydrateQuestions } from './web/quiz/client.ts'; hydrateQuestions(document);`,
      resolveDir: root,
      loader: 'ts',
    },
    bundle: true,
    format: 'iife',
    target: 'es2020',
    write: false,
    logLevel: 'silent',
  });
  return result.outputFiles[0]!.text;
}

export function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

/** Opens the page at an address of its own, so that it has storage, without a server. */
export async function open(context: BrowserContext, html: string, client: string, query = ''): Promise<Page> {
  const page = await context.newPage();
  await page.route('http://quiz.test/**', (route) =>
    route.request().url().endsWith('.js')
      ? route.fulfill({ contentType: 'text/javascript; charset=utf-8', body: client })
      : route.fulfill({ contentType: 'text/html; charset=utf-8', body: html }),
  );
  await page.goto(`http://quiz.test/page.html${query}`);
  return page;
}
