/** How every script of the site is bundled. */
export const SCRIPT = {
  bundle: true,
  minify: true,
  format: 'iife',
  target: 'es2020',
  charset: 'utf8',
  logLevel: 'warning',
} as const;
