/** Of the times of several runs: the one that was disturbed least, and the one in the middle. */
export const least = (times: readonly number[]): number => Math.min(...times);

export function median(times: readonly number[]): number {
  const sorted = [...times].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
