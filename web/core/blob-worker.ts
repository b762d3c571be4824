/** A worker that runs the message loop of a module, from the text of the function that makes it. */
export function blobWorker(factory: () => { serve(scope: never): void }): Worker {
  const source = `(${factory.toString()})().serve(self);`;
  const url = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
  try {
    return new Worker(url);
  } finally {
    // A worker that is being fetched still needs the address for a moment.
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
  }
}
