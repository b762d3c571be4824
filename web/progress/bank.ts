import type { Citation } from '../quiz/render.ts';
import type { Question } from '../quiz/types.ts';

/** The questions of one lesson in the words of one edition, as a script of its own. */
export interface Bank {
  questions: Question[];
  /** By the id of a source. */
  citations: Record<string, Citation>;
}

/** What the review page knows of a lesson before its questions are there. */
export interface BankEntry {
  slug: string;
  questions: string[];
}

declare global {
  var attnBank: Record<string, Bank> | undefined;
}

/** The text of that script; `convert` turns it into the script of the edition. */
export const bankScript = (slug: string, bank: Bank): string =>
  `(globalThis.attnBank ??= {})[${JSON.stringify(slug)}] = ${JSON.stringify(bank)};\n`;

const loads = new Map<string, Promise<Bank>>();

/** Adds the script to the page, once. */
export function loadBank(base: string, slug: string): Promise<Bank> {
  const known = loads.get(slug);
  if (known) return known;
  const load = new Promise<Bank>((resolve, reject) => {
    const script = document.createElement('script');
    script.src = `${base}bank/${slug}.js`;
    script.onload = () => {
      const bank = globalThis.attnBank?.[slug];
      if (bank) resolve(bank);
      else reject(new Error(`${script.src} holds no questions`));
    };
    script.onerror = () => {
      // Another press tries again.
      loads.delete(slug);
      script.remove();
      reject(new Error(`${script.src} did not load`));
    };
    document.head.append(script);
  });
  loads.set(slug, load);
  return load;
}
