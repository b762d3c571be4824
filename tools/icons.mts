// node --import tsx tools/icons.mts draws web/site/icons/ from web/site/icon.svg: the pictures that an installed course is
// shown by. A maskable one is cut to any shape, so that its paper reaches every edge and the drawing keeps to the middle.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { launch } from '../tests/pages/support/chromium.mts';
import { ICONS } from '../web/site/offline/build.ts';

const site = (path: string) => fileURLToPath(new URL(`../web/site/${path}`, import.meta.url));
/** The part of a maskable picture that every shape shows is a circle of 0.8 of its width. */
const MIDDLE = 0.8;

const drawing = readFileSync(site('icon.svg'), 'utf8');
const paper = /--paper: (#\w+)/.exec(drawing)![1]!;
mkdirSync(site('icons'), { recursive: true });
const browser = await launch();
try {
  for (const { file, size, purpose } of ICONS) {
    const page = await browser.newPage({ viewport: { width: size, height: size }, colorScheme: 'light' });
    const isMaskable = purpose === 'maskable';
    const width = isMaskable ? size * MIDDLE : size;
    const place = `position:absolute;width:${width}px;height:${width}px;inset:${(size - width) / 2}px`;
    const picture = `data:image/svg+xml;base64,${Buffer.from(drawing).toString('base64')}`;
    await page.setContent(
      `<body style="margin:0;background:${isMaskable ? paper : 'transparent'}"><img style="${place}" src="${picture}">`,
    );
    await page.locator('img').evaluate((image) => (image as HTMLImageElement).decode());
    writeFileSync(site(`icons/${file}`), await page.screenshot({ omitBackground: true }));
    await page.close();
    console.log(`web/site/icons/${file}`);
  }
} finally {
  await browser.close();
}
