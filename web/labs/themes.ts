/** The order of the gallery. A lab that no theme names stands in the last group. */
export const THEMES: readonly { id: string; stems: readonly string[] }[] = [
  { id: 'primer', stems: ['dot-product', 'matrix-product', 'exponential-shares'] },
  { id: 'chains', stems: ['relay-decay', 'eigenvalue-trap', 'path-length', 'sequential-work'] },
  { id: 'softmax', stems: ['party', 'scaling'] },
  { id: 'projections', stems: ['qkv', 'identity-projections', 'causal-mask'] },
  { id: 'heads', stems: ['multi-head', 'head-gates'] },
  { id: 'order', stems: ['permutation', 'sinusoidal', 'rotary', 'alibi', 'extrapolation'] },
  { id: 'layers', stems: ['layer', 'translation'] },
  { id: 'cost', stems: ['attention-matrix', 'memory-ledger', 'layer-cost', 'online-softmax'] },
  { id: 'wall', stems: ['flash-steps', 'flash', 'linformer', 'performer'] },
  { id: 'inside', stems: ['probe'] },
  { id: 'beyond', stems: ['patchify', 'mixture-of-experts', 'matching', 'masked-language'] },
  { id: 'museum', stems: ['museum'] },
];

export interface Group {
  id: string;
  stems: string[];
}

/** The labs that there are, by theme; themes without one are left out. */
export function grouped(stems: readonly string[]): Group[] {
  const named = THEMES.flatMap((theme) => theme.stems);
  const groups = THEMES.map(({ id, stems: members }) => ({ id, stems: members.filter((stem) => stems.includes(stem)) }));
  const rest = { id: 'more', stems: stems.filter((stem) => !named.includes(stem)) };
  return [...groups, rest].filter((group) => group.stems.length > 0);
}
