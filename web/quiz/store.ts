/** What one learner did with one question, kept in this browser. */
export interface Saved {
  /** Places of the ticked options. */
  picks?: number[];
  /** A typed number or an expert answer, as it was typed. */
  text?: string;
  rating?: string;
}

const version = 1;
const prefix = 'attn.quiz.';

export interface Store {
  /** Whether this browser keeps anything at all. */
  readonly works: boolean;
  read(id: string): Saved;
  /** False when the browser would not keep it. */
  write(id: string, saved: Saved): boolean;
}

export function openStore(): Store {
  let storage: Storage | undefined;
  try {
    storage = window.localStorage;
    const probe = `${prefix}?`;
    storage.setItem(probe, '1');
    storage.removeItem(probe);
  } catch {
    // Refused, or full: reading may still work, writing reports itself.
  }
  return {
    works: storage !== undefined,
    read: (id) => parse(item(storage, id)).saved,
    write(id, saved) {
      // A record of a later version of this page is not ours to shorten.
      if (storage === undefined || parse(item(storage, id)).newer) return false;
      try {
        storage.setItem(prefix + id, JSON.stringify({ version, ...saved }));
        return true;
      } catch {
        return false;
      }
    },
  };
}

function item(storage: Storage | undefined, id: string): string | null {
  try {
    return storage?.getItem(prefix + id) ?? null;
  } catch {
    return null;
  }
}

/** Anything malformed counts as nothing saved: it came from outside. */
function parse(text: string | null): { saved: Saved; newer: boolean } {
  let raw: unknown;
  try {
    raw = JSON.parse(text ?? 'null');
  } catch {
    return { saved: {}, newer: false };
  }
  if (typeof raw !== 'object' || raw === null) return { saved: {}, newer: false };
  const record = raw as Record<string, unknown>;
  if (typeof record.version === 'number' && record.version > version) return { saved: {}, newer: true };
  const saved: Saved = {};
  if (Array.isArray(record.picks)) {
    saved.picks = record.picks.filter((p): p is number => Number.isInteger(p));
  }
  if (typeof record.text === 'string') saved.text = record.text;
  if (typeof record.rating === 'string') saved.rating = record.rating;
  return { saved, newer: false };
}
