export const THEMES = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const KEY = 'attn-theme';
const isTheme = (value: string | null): value is Theme => THEMES.includes(value as Theme);

/** The remembered choice; browsers may refuse to keep any. */
export function savedTheme(): Theme {
  try {
    const value = localStorage.getItem(KEY);
    return isTheme(value) ? value : 'auto';
  } catch {
    return 'auto';
  }
}

/** @returns whether the browser keeps it */
export function saveTheme(theme: Theme): boolean {
  try {
    localStorage.setItem(KEY, theme);
    return localStorage.getItem(KEY) === theme;
  } catch {
    return false;
  }
}

export function applyTheme(theme: Theme): void {
  const root = document.documentElement;
  if (theme === 'auto') delete root.dataset['theme'];
  else root.dataset['theme'] = theme;
}
