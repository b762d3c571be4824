export type ParsedNumber = { ok: true; value: number } | { ok: false; reason: 'empty' | 'unreadable' | 'too-large' };

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';
const decimal = '[0-9]+(?:\\.[0-9]*)?|\\.[0-9]+';
const scientific = `(?:${decimal})(?:e[+-]?[0-9]+)?`;
const power = new RegExp(`^(?:(${scientific})\\*)?(${decimal})\\^\\(?([+-]?[0-9]+)\\)?$`);
const fraction = new RegExp(`^(${scientific})/([+-]?(?:${scientific}))$`);
const counted = new RegExp(`^(${scientific})([十百千萬万億亿兆])$`);
const counts: Record<string, number> = {
  十: 10,
  百: 100,
  千: 1e3,
  萬: 1e4,
  万: 1e4,
  億: 1e8,
  亿: 1e8,
  兆: 1e12,
};

/**
 * Reads a number as learners write it. Accepted: decimals, 1.6e7, 1.6×10⁷ (also
 * x, X, * for the sign and ^7 for the exponent), 2^24, 1678萬 (十百千萬億兆, one of
 * them, in either script), fractions 19/20, 95% and 百分之 95, thousands commas,
 * full-width forms of all of these, a leading + - − 負, a leading 約, and the
 * question's own unit after the number.
 * Refused: anything else, also NaN, Infinity and a comma that is not between thousands.
 */
export function parseNumber(typed: string, unit = ''): ParsedNumber {
  // Superscripts first: compatibility normalisation would turn 10⁷ into 107.
  let text = typed
    .replace(
      /[⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+/g,
      (run) => '^' + [...run].map((c) => (c === '⁻' ? '-' : c === '⁺' ? '' : superscripts.indexOf(c))).join(''),
    )
    .normalize('NFKC')
    .replace(/[−–﹣]/g, '-')
    .replace(/(?<=[0-9])。(?=[0-9])/g, '.')
    .replace(/\s+/g, '')
    .replace(/^(?:大約|大约|約|约|≈)/, '');
  if (text === '') return { ok: false, reason: 'empty' };

  const suffix = unit.normalize('NFKC').replace(/\s+/g, '');
  if (suffix !== '' && text.endsWith(suffix)) text = text.slice(0, -suffix.length);

  let sign = 1;
  const signed = /^(?:\+|-|負|负)/.exec(text);
  if (signed) {
    if (signed[0] !== '+') sign = -1;
    text = text.slice(signed[0].length);
  }
  let scale = 1;
  if (text.startsWith('百分之')) {
    scale = 0.01;
    text = text.slice(3);
  } else if (text.endsWith('%')) {
    scale = 0.01;
    text = text.slice(0, -1);
  }
  if (/^[0-9]{1,3}(?:,[0-9]{3})+(?![0-9,])/.test(text)) text = text.replace(/,/g, '');
  text = text
    .replace(/[×xX✕·⋅]/g, '*')
    .replace(/\*\*/g, '^')
    .replace(/E/g, 'e');

  const value = read(text);
  if (value === undefined || Number.isNaN(value)) return { ok: false, reason: 'unreadable' };
  if (!Number.isFinite(value)) return { ok: false, reason: 'too-large' };
  return { ok: true, value: sign * scale * value };
}

function read(text: string): number | undefined {
  if (new RegExp(`^(?:${scientific})$`).test(text)) return Number(text);
  const count = counted.exec(text);
  if (count) return Number(count[1]) * (counts[count[2] ?? ''] ?? NaN);
  const raised = power.exec(text);
  if (raised) {
    const [, mantissa = '1', base, exponent] = raised;
    // One literal where the base is ten, so that 1.6×10⁷ is exactly 16000000.
    return base === '10' && !mantissa.includes('e')
      ? Number(`${mantissa}e${exponent}`)
      : Number(mantissa) * Number(base) ** Number(exponent);
  }
  const parts = fraction.exec(text);
  if (parts) {
    const below = Number(parts[2]);
    return below === 0 ? undefined : Number(parts[1]) / below;
  }
  return undefined;
}
