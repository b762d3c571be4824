/** The two editions of the course: folder names, and what HTML calls them. */
export const SCRIPTS = {
  'zh-Hant': { lang: 'zh-TW', side: 'tw', name: '繁體中文' },
  'zh-Hans': { lang: 'zh-CN', side: 'cn', name: '简体中文' },
} as const;

export type Script = keyof typeof SCRIPTS;

export const otherScript = (script: Script): Script =>
  script === 'zh-Hant' ? 'zh-Hans' : 'zh-Hant';
