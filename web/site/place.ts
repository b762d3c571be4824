/** How far below the top of the window a heading still counts as passed. */
const SLACK = 120;
/** A reader who rests this long reads; one who rests less is on the way. */
const REST = 400;

interface Heading {
  readonly id: string;
  readonly top: number;
}

/** The id of the heading that the reader has last passed, or nothing at the top. */
export function currentHeading(headings: readonly Heading[], slack = SLACK): string | undefined {
  return headings.filter(({ top }) => top <= slack).at(-1)?.id;
}

/**
 * The hash that opens the same place in the other script: the state of a lab,
 * when the address has one and the reader is still at that lab, else the
 * heading where the reader last rested.
 */
export function placeHash(rested: string | undefined, address: string, headingOf: (id: string) => string | undefined): string {
  // A class that plays the wall with one seed keeps it.
  if (address.startsWith('#seed=')) return address;
  const [id, state] = address.replace(/^#/, '').split('?', 2);
  if (state !== undefined && (!rested || headingOf(id ?? '') === rested)) return address;
  return rested ?? '';
}

const headings = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('main :is(h2, h3, h4)[id]')];

/** The last heading before an element. */
function headingBefore(id: string): string | undefined {
  const element = document.getElementById(id);
  if (!element) return undefined;
  const before = (heading: HTMLElement) =>
    (heading.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  return headings().filter(before).at(-1)?.id;
}

/**
 * The link to the other script opens the same page at the same place. Reaching
 * the link scrolls the page to its top, by mouse or by key, so that the place
 * is where the reader rested before.
 * @param rests is told of each such place
 */
export function setUpScriptSwitch(rests: (heading: string) => void = () => {}): void {
  const link = document.querySelector<HTMLAnchorElement>('[data-script-switch]');
  const bar = link?.closest('header');
  if (!link || !bar) return;
  let rested: string | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const rest = () => {
    const barIsSeen = bar.getBoundingClientRect().bottom > 0;
    if (barIsSeen || bar.contains(document.activeElement)) return;
    // At the end of the page the last headings cannot come to the top: there, being in view counts.
    const atEnd = scrollY + innerHeight >= document.documentElement.scrollHeight - 2;
    const tops = headings().map((h) => ({ id: h.id, top: h.getBoundingClientRect().top }));
    rested = currentHeading(tops, atEnd ? innerHeight : SLACK);
    rests(rested ?? '');
  };
  addEventListener(
    'scroll',
    () => {
      clearTimeout(timer);
      timer = setTimeout(rest, REST);
    },
    { passive: true },
  );
  const aim = () => {
    const target = new URL(link.href);
    target.search = location.search;
    target.hash = placeHash(rested, location.hash, headingBefore);
    link.href = target.href;
  };
  for (const event of ['pointerdown', 'focus', 'click', 'contextmenu'] as const)
    link.addEventListener(event, aim);
}
