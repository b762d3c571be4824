/** Where a value stands between two others, from 0 to 1, by distance or by ratio. */
export function along(value: number, min: number, max: number, log = false): number {
  if (!log) return (value - min) / (max - min);
  // Quotients would overflow on an axis of several hundred powers of ten.
  return (Math.log2(value) - Math.log2(min)) / (Math.log2(max) - Math.log2(min));
}

/** The powers of ten from 1 up to a number. */
export function decades(max: number): number[] {
  const found: number[] = [];
  for (let at = 1; at <= max; at *= 10) found.push(at);
  return found;
}
