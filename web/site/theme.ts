import { announce } from './announce.ts';
import { t } from './strings.ts';
import { applyTheme, savedTheme, saveTheme, THEMES, type Theme } from './theme-store.ts';

/** The button goes round: as the system says, light, dark. */
export function setUpTheme(): void {
  const button = document.querySelector<HTMLButtonElement>('[data-theme-button]');
  const note = document.querySelector<HTMLElement>('[data-theme-note]');
  if (!button || !note) return;
  let theme: Theme = savedTheme();
  const show = () => {
    button.textContent = t(`site.say.theme.${theme}`);
  };
  button.addEventListener('click', () => {
    theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length]!;
    applyTheme(theme);
    const kept = saveTheme(theme);
    show();
    note.hidden = kept;
    if (!kept) note.textContent = t('site.say.theme-not-kept');
    announce(t(kept ? `site.say.theme-now.${theme}` : `site.say.theme-now-not-kept.${theme}`));
  });
  show();
  button.hidden = false;
}
