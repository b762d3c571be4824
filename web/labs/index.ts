import { lab as alibi } from './alibi.ts';
import { lab as attentionMatrix } from './attention-matrix.ts';
import { lab as causalMask } from './causal-mask.ts';
import { lab as dotProduct } from './dot-product.ts';
import { lab as eigenvalueTrap } from './eigenvalue-trap.ts';
import { lab as exponentialShares } from './exponential-shares.ts';
import { lab as extrapolation } from './extrapolation.ts';
import { lab as flash } from './flash.ts';
import { lab as flashSteps } from './flash-steps.ts';
import { lab as headGates } from './head-gates.ts';
import { lab as identityProjections } from './identity-projections.ts';
import type { Lab } from './kit/types.ts';
import { lab as layer } from './layer.ts';
import { lab as layerCost } from './layer-cost.ts';
import { lab as linformer } from './linformer.ts';
import { lab as maskedLanguage } from './masked-language.ts';
import { lab as matching } from './matching.ts';
import { lab as matrixProduct } from './matrix-product.ts';
import { lab as memoryLedger } from './memory-ledger.ts';
import { lab as mixtureOfExperts } from './mixture-of-experts.ts';
import { lab as multiHead } from './multi-head.ts';
import { lab as museum } from './museum.ts';
import { lab as onlineSoftmax } from './online-softmax.ts';
import { lab as party } from './party.ts';
import { lab as patchify } from './patchify.ts';
import { lab as pathLength } from './path-length.ts';
import { lab as performer } from './performer.ts';
import { lab as permutation } from './permutation.ts';
import { lab as probe } from './probe.ts';
import { lab as qkv } from './qkv.ts';
import { lab as relayDecay } from './relay-decay.ts';
import { lab as rotary } from './rotary.ts';
import { lab as scaling } from './scaling.ts';
import { lab as sequentialWork } from './sequential-work.ts';
import { lab as sinusoidal } from './sinusoidal.ts';
import { lab as translation } from './translation.ts';

/** Every lab by its stem, the name in `<attn-lab name="STEM">`. */
export const labs: Readonly<Record<string, Lab>> = {
  alibi,
  'attention-matrix': attentionMatrix,
  'causal-mask': causalMask,
  'dot-product': dotProduct,
  'eigenvalue-trap': eigenvalueTrap,
  'exponential-shares': exponentialShares,
  extrapolation,
  flash,
  'flash-steps': flashSteps,
  'head-gates': headGates,
  'identity-projections': identityProjections,
  layer,
  'layer-cost': layerCost,
  linformer,
  'masked-language': maskedLanguage,
  matching,
  'matrix-product': matrixProduct,
  'memory-ledger': memoryLedger,
  'mixture-of-experts': mixtureOfExperts,
  'multi-head': multiHead,
  museum,
  'online-softmax': onlineSoftmax,
  party,
  patchify,
  'path-length': pathLength,
  performer,
  permutation,
  probe,
  qkv,
  'relay-decay': relayDecay,
  rotary,
  scaling,
  'sequential-work': sequentialWork,
  sinusoidal,
  translation,
};
