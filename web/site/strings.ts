let strings: Record<string, string> | undefined;

/** Fills `{slot}`s of a whole sentence; a slot without a value is a bug. */
export function fill(template: string, slots: Record<string, string | number> = {}): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = slots[name];
    if (value === undefined) throw new Error(`no value for {${name}} in "${template}"`);
    return String(value);
  });
}

/** A sentence of this page's script; the layout embeds what scripts may say. */
export function t(key: string, slots?: Record<string, string | number>): string {
  strings ??= JSON.parse(document.getElementById('strings')?.textContent ?? '{}') as Record<
    string,
    string
  >;
  const template = strings[key];
  if (template === undefined) throw new Error(`no string "${key}" on this page`);
  return fill(template, slots);
}
