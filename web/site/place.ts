/** How far below the top of the window a heading still counts as passed. */
const SLACK = 120;

/** The id of the heading that the reader has last passed, or nothing at the top. */
export function currentHeading(headings: { id: string; top: number }[]): string | undefined {
  return headings.filter(({ top }) => top <= SLACK).at(-1)?.id;
}

/**
 * The link to the other script opens the same page at the same heading. The
 * address is set as soon as the link may be used, however it is used.
 */
export function setUpScriptSwitch(): void {
  const link = document.querySelector<HTMLAnchorElement>('[data-script-switch]');
  if (!link) return;
  const aim = () => {
    const headings = [...document.querySelectorAll<HTMLElement>('main :is(h2, h3, h4)[id]')];
    const hash = currentHeading(
      headings.map((heading) => ({ id: heading.id, top: heading.getBoundingClientRect().top })),
    );
    const target = new URL(link.href);
    target.search = location.search;
    target.hash = hash ?? '';
    link.href = target.href;
  };
  for (const event of ['pointerdown', 'focus', 'click', 'contextmenu'] as const)
    link.addEventListener(event, aim);
}
