import type { Page } from 'playwright-core';

/** Where the focus is. */
export interface Stop {
  /** Its place among everything that `data-stop` numbers, or -1. */
  place: number;
  name: string;
  /** Why somebody who looks would not find it; empty when all is well. */
  problem: string;
}

/** The element that has the focus, or null when that is lost to the page as a whole. */
export const currentStop = (page: Page): Promise<Stop | null> =>
  page.evaluate(() => {
    const e = document.activeElement as HTMLElement | null;
    if (!e || e === document.body || e === document.documentElement) return null;
    const box = e.getBoundingClientRect();
    const style = getComputedStyle(e);
    const problems: string[] = [];
    if (!e.matches(':focus-visible')) problems.push('is not :focus-visible');
    const outlined = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2;
    if (!outlined) problems.push(`has no focus ring (${style.outlineStyle} ${style.outlineWidth})`);
    const inside = box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
    if (!inside) problems.push('is outside the window');
    if (box.width < 2 || box.height < 2) problems.push('has no size');
    return { place: Number(e.dataset.stop ?? -1), name: e.id || e.tagName.toLowerCase(), problem: problems.join(', ') };
  });
