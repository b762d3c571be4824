import { lab as identityProjections } from './identity-projections.ts';
import type { Lab } from './kit/types.ts';
import { lab as party } from './party.ts';
import { lab as qkv } from './qkv.ts';

/** Every lab by its stem, the name in `<attn-lab name="STEM">`. */
export const labs: Readonly<Record<string, Lab>> = {
  'identity-projections': identityProjections,
  party,
  qkv,
};
