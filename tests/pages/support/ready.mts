/** Runs in a page: true once every lab says in its status line that it is ready. */
export function labsAreReady(): boolean {
  const strings = JSON.parse(document.getElementById('strings')?.textContent ?? '{}');
  return [...document.querySelectorAll('attn-lab [data-part="status"]')].every(
    (status) => status.textContent === strings['lab.ready'],
  );
}
