export const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`;

/** A counter of steps, each shown on a line of its own with its time. */
export function steps(total) {
  let number = 0;
  return async (label, work) => {
    number += 1;
    const start = performance.now();
    process.stdout.write(`[${number}/${total}] ${label} … `);
    let result;
    try {
      result = await work();
    } catch (error) {
      process.stdout.write(`failed, ${seconds(start)}\n`);
      throw error;
    }
    process.stdout.write(`${result}, ${seconds(start)}\n`);
  };
}
