const PAUSE = 200;
const KEEP = 4000;

let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Says one sentence through the page's only live region. The region is emptied
 * first, so that the same sentence is spoken twice when it is true twice, and
 * emptied again, so that nobody meets it while reading on.
 */
export function announce(text: string): void {
  const region = document.getElementById('say');
  if (!region) return;
  clearTimeout(timer);
  region.textContent = '';
  timer = setTimeout(() => {
    region.textContent = text;
    timer = setTimeout(() => {
      region.textContent = '';
    }, KEEP);
  }, PAUSE);
}
