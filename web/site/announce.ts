const PAUSE = 200;
const KEEP = 4000;

/** Its timer stands on the region itself: this file is bundled into more than one script. */
type Region = HTMLElement & { sayTimer?: ReturnType<typeof setTimeout> };

/**
 * Says one sentence through the page's only live region. The region is emptied
 * first, so that the same sentence is spoken twice when it is true twice, and
 * emptied again, so that nobody meets it while reading on.
 */
export function announce(text: string): void {
  const region = document.getElementById('say') as Region | null;
  if (!region) return;
  clearTimeout(region.sayTimer);
  region.textContent = '';
  region.sayTimer = setTimeout(() => {
    region.textContent = text;
    region.sayTimer = setTimeout(() => {
      region.textContent = '';
    }, KEEP);
  }, PAUSE);
}
