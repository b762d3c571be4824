import type { Locator, Page } from 'playwright-core';

export const labIdsOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => [...document.querySelectorAll('attn-lab')].map((lab) => lab.id));

/** Shows the result without a guess, and opens what is folded away. */
export async function reveal(page: Page, id: string): Promise<void> {
  const skip = page.locator(`#${id} [data-do="skip"]`);
  if (await skip.isVisible()) await skip.click();
  await page.evaluate((lab) => {
    for (const fold of document.querySelectorAll<HTMLDetailsElement>(`#${lab} details`)) fold.open = true;
  }, id);
}

/** The first field of each sort: a matrix row and a number, or a list of names. */
export const fieldsOf = (page: Page, id: string, kind: 'number' | 'list'): Promise<string[]> =>
  page.evaluate(
    ([lab, parts]) =>
      parts.flatMap((part) => document.querySelector(`#${lab} input[type="text"][data-part="${part}"]`)?.id ?? []),
    [id, kind === 'number' ? ['row', 'box'] : ['text']] as [string, string[]],
  );

/** Types as a learner does, and leaves the field. */
export async function enter(field: Locator, text: string): Promise<void> {
  await field.fill(text);
  await field.blur();
  await idle(field.page());
}

/** Long work has its answer. */
export const idle = async (page: Page): Promise<void> => {
  await page.waitForFunction(() => !document.querySelector('attn-lab[data-busy]'), undefined, { timeout: 20_000 });
};

/** A field with a number in it, and something else that it may hold: a row of a matrix, or else the next stop of a slider. */
export async function otherInput(page: Page, id: string): Promise<{ field: Locator; typed: string }> {
  const row = page.locator(`#${id} input[data-part="row"]`).first();
  if ((await row.count()) > 0) return { field: row, typed: another(await row.inputValue()) };
  const field = page.locator(`#${id} input[data-part="box"]`).first();
  const before = await field.inputValue();
  const slider = page.locator(`#${id} input[data-part="range"]`).first();
  let [there, back] = ['ArrowLeft', 'ArrowRight'];
  await slider.press(there);
  if ((await field.inputValue()) === before) {
    [there, back] = [back, there];
    await slider.press(there);
  }
  const typed = await field.inputValue();
  await slider.press(back);
  await idle(page);
  if ((await field.inputValue()) !== before || typed === before) throw new Error(`${id}: the first slider does not move and come back`);
  return { field, typed };
}

/** Every number and sentence of a result. */
export const resultOf = (page: Page, id: string): Promise<string> =>
  page.evaluate(
    (lab) =>
      [...document.querySelectorAll(`#${lab} [data-part="state"], #${lab} [data-part="tables"] td`)]
        .map((e) => e.textContent)
        .join('|'),
    id,
  );

/** The other numbers of a row: same count, another result. */
export function another(row: string): string {
  const [, ...rest] = row.split(/[,\s]+/).filter(Boolean);
  return ['0.5', ...rest].join(', ');
}

export const fullWidth = (text: string): string =>
  text.replace(/[!-~]/g, (c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0));
