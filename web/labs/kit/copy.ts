/**
 * Puts text on the clipboard; false where the page has none (plain http on a
 * LAN, a refused permission), so that the caller can offer the text to be copied by hand.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** A selected, read-only field with the text, after `place`. */
export function offerText(place: Element, label: string, text: string): void {
  place.nextElementSibling?.remove();
  const wrapper = document.createElement('label');
  wrapper.className = 'lab-copy';
  wrapper.append(label);
  const area = document.createElement('textarea');
  area.readOnly = true;
  area.rows = 3;
  area.value = text;
  wrapper.append(area);
  place.after(wrapper);
  area.focus();
  area.select();
}

/** Offers a text as a file, made in the page. */
export function download(name: string, text: string): void {
  // The mark in front tells spreadsheets that the Chinese headers are UTF-8.
  const url = URL.createObjectURL(new Blob(['\ufeff', text], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
