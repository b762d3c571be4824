/** For `addInitScript`: keeps everything that enters the live region, in order, as `window.said`. */
export function ear(): void {
  const said: string[] = [];
  Object.assign(window, { said });
  document.addEventListener('DOMContentLoaded', () => {
    const region = document.getElementById('say')!;
    new MutationObserver(() => {
      if (region.textContent) said.push(region.textContent);
    }).observe(region, { childList: true, characterData: true, subtree: true });
  });
}
