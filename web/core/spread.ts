/** What the same measurement gave for several seeds. Details: cpp/include/attn/spread.hpp */
export interface Spread {
  readonly mean: number;
  /** About the mean, over all seeds. */
  readonly deviation: number;
  readonly smallest: number;
  readonly largest: number;
}
