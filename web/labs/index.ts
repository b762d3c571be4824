import { lab as attentionMatrix } from './attention-matrix.ts';
import { lab as causalMask } from './causal-mask.ts';
import { lab as headGates } from './head-gates.ts';
import { lab as identityProjections } from './identity-projections.ts';
import type { Lab } from './kit/types.ts';
import { lab as layerCost } from './layer-cost.ts';
import { lab as memoryLedger } from './memory-ledger.ts';
import { lab as multiHead } from './multi-head.ts';
import { lab as onlineSoftmax } from './online-softmax.ts';
import { lab as party } from './party.ts';
import { lab as permutation } from './permutation.ts';
import { lab as qkv } from './qkv.ts';
import { lab as scaling } from './scaling.ts';
import { lab as sinusoidal } from './sinusoidal.ts';

/** Every lab by its stem, the name in `<attn-lab name="STEM">`. */
export const labs: Readonly<Record<string, Lab>> = {
  'attention-matrix': attentionMatrix,
  'causal-mask': causalMask,
  'head-gates': headGates,
  'identity-projections': identityProjections,
  'layer-cost': layerCost,
  'memory-ledger': memoryLedger,
  'multi-head': multiHead,
  'online-softmax': onlineSoftmax,
  party,
  permutation,
  qkv,
  scaling,
  sinusoidal,
};
