import { alibi, type AlibiCore } from './alibi.ts';
import { attention, type AttentionCore } from './attention.ts';
import { bleu, type BleuCore } from './bleu.ts';
import { convolution, type ConvolutionCore } from './convolution.ts';
import { cost, type CostCore } from './cost.ts';
import { decoder, type DecoderCore } from './decoder.ts';
import { encoder, type EncoderCore } from './encoder.ts';
import { CoreError } from './errors.ts';
import { makeFunctions, positional, type Facade, type Parameters, type RawModule } from './facade.ts';
import { feedForward, type FeedForwardCore } from './feed-forward.ts';
import { flash, type FlashCore } from './flash.ts';
import { kvCache, type KvCacheCore } from './kv-cache.ts';
import { layerNorm, type LayerNormCore } from './layer-norm.ts';
import { learnedPosition, type LearnedPositionCore } from './learned-position.ts';
import { linear, type LinearCore } from './linear.ts';
import { linformer, type LinformerCore } from './linformer.ts';
import { lstm, type LstmCore } from './lstm.ts';
import { mask, type MaskCore } from './mask.ts';
import { maskedLanguage, type MaskedLanguageCore } from './masked-language.ts';
import { matching, type MatchingCore } from './matching.ts';
import { matrix } from './matrix.ts';
import { mixtureOfExperts, type MixtureOfExpertsCore } from './mixture-of-experts.ts';
import { multiHead, type MultiHeadCore } from './multi-head.ts';
import { onlineSoftmax, type OnlineSoftmaxCore } from './online-softmax.ts';
import { patchify, type PatchifyCore } from './patchify.ts';
import { performer, type PerformerCore } from './performer.ts';
import { probe, type ProbeCore } from './probe.ts';
import { projection, type ProjectionCore } from './projection.ts';
import { recurrent, type RecurrentCore } from './recurrent.ts';
import { rng, type RngCore } from './rng.ts';
import { rotary, type RotaryCore } from './rotary.ts';
import { scaling, type ScalingCore } from './scaling.ts';
import { sinusoidal, type SinusoidalCore } from './sinusoidal.ts';
import { softmax, type SoftmaxCore } from './softmax.ts';
import { work, type WorkCore } from './work.ts';

export interface Core
  extends AlibiCore,
    AttentionCore,
    BleuCore,
    ConvolutionCore,
    CostCore,
    DecoderCore,
    EncoderCore,
    FeedForwardCore,
    FlashCore,
    KvCacheCore,
    LayerNormCore,
    LearnedPositionCore,
    LinearCore,
    LinformerCore,
    LstmCore,
    MaskCore,
    MaskedLanguageCore,
    MatchingCore,
    MixtureOfExpertsCore,
    MultiHeadCore,
    OnlineSoftmaxCore,
    PatchifyCore,
    PerformerCore,
    ProbeCore,
    ProjectionCore,
    RecurrentCore,
    RngCore,
    RotaryCore,
    ScalingCore,
    SinusoidalCore,
    SoftmaxCore,
    WorkCore {}

export const facade: Facade<Core> = {
  ...alibi,
  ...attention,
  ...bleu,
  ...convolution,
  ...cost,
  ...decoder,
  ...encoder,
  ...feedForward,
  ...flash,
  ...kvCache,
  ...layerNorm,
  ...learnedPosition,
  ...linear,
  ...linformer,
  ...lstm,
  ...mask,
  ...maskedLanguage,
  ...matching,
  ...mixtureOfExperts,
  ...multiHead,
  ...onlineSoftmax,
  ...patchify,
  ...performer,
  ...probe,
  ...projection,
  ...recurrent,
  ...rng,
  ...rotary,
  ...scaling,
  ...sinusoidal,
  ...softmax,
  ...work,
};

export type CoreName = keyof Core;

export function makeCore(raw: RawModule): Core {
  return makeFunctions(raw, facade) as unknown as Core;
}

const isRows = (value: unknown): value is number[][] => Array.isArray(value) && value.length > 0 && value.every(Array.isArray);

/** Lists of rows become matrices, at any depth. */
function fromJson(value: unknown): unknown {
  if (isRows(value) && value.every((row) => row.every((x) => typeof x === 'number'))) return matrix(value);
  if (Array.isArray(value)) return value.map(fromJson);
  if (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype)
    return Object.fromEntries(Object.entries(value).map(([key, v]) => [key, fromJson(v)]));
  return value;
}

/**
 * A call as lessons and question probes write it: `callNamed(core, 'softmaxRows', {scores: [[2, 1, 0]]})`.
 * `known` are the functions that may be called, where a module beside the core adds some.
 */
export function callNamed(
  core: Core,
  name: string,
  args: Readonly<Record<string, unknown>>,
  known: Readonly<Record<string, Parameters>> = facade,
): unknown {
  if (!Object.hasOwn(known, name)) throw new CoreError('invalid-argument', `invalid-argument: the core has no ${name}`);
  const parameters = known[name]!;
  const call = core[name as CoreName] as (...given: unknown[]) => unknown;
  return call(...positional(parameters, fromJson(args) as Record<string, unknown>));
}
