import type { Facade } from './facade.ts';
import { integer, matrix, numbers, record } from './kinds.ts';
import type { Matrix } from './matrix.ts';

/** data[(row · width + column) · channels + channel] */
export interface Picture {
  readonly height: number;
  readonly width: number;
  readonly channels: number;
  readonly data: ArrayLike<number>;
}

export interface PatchCounts {
  readonly tokens: number;
  readonly width: number;
  readonly withClass: number;
  readonly attentionEntries: number;
}

/** Details: cpp/include/attn/patchify.hpp */
export interface PatchifyCore {
  /** One row a patch; patches row by row; inside a patch row, column, channel. */
  patchify(image: Picture, patch: number): Matrix;
  unpatchify(tokens: Matrix, height: number, width: number, channels: number, patch: number): Picture;
  patchMeans(image: Picture, patch: number): Matrix;
  gridPositions(rows: number, cols: number, d: number): Matrix;
  patchCounts(side: number, patch: number, channels: number): PatchCounts;
}

const picture = record({ height: integer, width: integer, channels: integer, data: numbers });

export const patchify: Facade<PatchifyCore> = {
  patchify: { image: picture, patch: integer },
  unpatchify: { tokens: matrix, height: integer, width: integer, channels: integer, patch: integer },
  patchMeans: { image: picture, patch: integer },
  gridPositions: { rows: integer, cols: integer, d: integer },
  patchCounts: { side: integer, patch: integer, channels: integer },
};
