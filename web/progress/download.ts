/** Gives the reader a file. */
export function download(name: string, text: string, type: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  // Some browsers read the file a moment later.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Today, as the reader's calendar has it. */
export const dayOf = (time: number): string => {
  const date = new Date(time);
  const two = (n: number) => String(n).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
};
