// What can be read off the C++ source: no function of 60 lines or more, no include that is not needed for what a header says.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const root = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');
const filesIn = (folder: string): string[] =>
  readdirSync(new URL(folder, root), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory() ? filesIn(path) : /\.[ch]pp$/.test(path) ? [path] : [];
  });

interface Block {
  readonly where: string;
  readonly lines: number;
}

/** clang-format puts the end of a function under the start of its first line, and nothing else there in between. */
function functionsOf(path: string): Block[] {
  const lines = read(path).split('\n');
  const blocks: Block[] = [];
  lines.forEach((line, end) => {
    const closing = /^( *)\}$/.exec(line);
    if (!closing) return;
    const indent = closing[1]!;
    let start = end - 1;
    while (start >= 0 && !(lines[start]!.startsWith(indent) && /[\w#/~}]/.test(lines[start]!.charAt(indent.length)) && !/^ *(public|private|protected|case .*|default):/.test(lines[start]!))) --start;
    const opening = lines.slice(Math.max(start, 0), end).find((text) => /\{$/.test(text)) ?? '';
    const head = lines.slice(Math.max(start, 0), end).join('\n').split('{')[0]!;
    if (opening === '' || !head.includes('(') || /^\s*(for|if|else|while|switch|do|try|namespace|struct|class|enum)\b/.test(head) || head.includes(' = [') || head.includes('}')) return;
    blocks.push({ where: `${path}:${start + 1}`, lines: end - start + 1 });
  });
  return blocks;
}

test('no function of the core has 60 lines', () => {
  const all = filesIn('cpp')
    .flatMap(functionsOf)
    .sort((a, b) => b.lines - a.lines);
  assert.ok(all.length > 500, `only ${all.length} functions are seen`);
  console.log(`${all.length} functions; the longest is ${all[0]!.where}, ${all[0]!.lines} lines`);
  assert.deepEqual(all.filter(({ lines }) => lines >= 60), []);
});

/** What a file must mention when it includes a standard header. */
const signs: Readonly<Record<string, RegExp>> = {
  algorithm: /std::(sort|stable_sort|max|min|copy|fill|find|any_of|all_of|none_of|max_element|min_element|clamp|reverse|count|lower_bound|upper_bound|nth_element|partial_sort|swap_ranges|fill_n|copy_n|transform|equal|unique|is_sorted|for_each|find_if|count_if|minmax_element|remove_if|rotate)\b/,
  array: /std::array\b/,
  bit: /std::(bit_cast|popcount|countl_zero|has_single_bit|bit_width|bit_ceil|bit_floor)\b/,
  cmath: /std::(abs|sqrt|exp|log|pow|floor|ceil|isfinite|isinf|isnan|tanh|sin|cos|exp2|log2|erf|hypot|round|lround|fabs|log1p|expm1|nextafter|ldexp|frexp|trunc|fmod|acos)\b/,
  cstddef: /\b(std::)?(size_t|ptrdiff_t|byte|nullptr_t)\b/,
  cstdint: /\b(std::)?u?int(8|16|32|64)_t\b|uintptr_t/,
  cstdlib: /std::(abs|div|exit|getenv|malloc|free|aligned_alloc)\b/,
  cstring: /std::(mem|str)\w+/,
  exception: /std::(exception|terminate|current_exception)\b/,
  functional: /std::(function|plus|less|greater|multiplies|minus|ref|cref|hash|invoke)\b/,
  initializer_list: /std::initializer_list\b/,
  iterator: /std::(back_inserter|distance|next|prev|advance|begin|end|size|ssize|iterator_traits)\b/,
  limits: /std::numeric_limits\b/,
  map: /std::(multi)?map\b/,
  memory: /std::(unique_ptr|shared_ptr|make_unique|make_shared|addressof|assume_aligned|align)\b/,
  new: /std::(bad_alloc|nothrow|align_val_t)\b/,
  numbers: /std::numbers\b/,
  numeric: /std::(iota|accumulate|inner_product|partial_sum|gcd|lcm|reduce)\b/,
  optional: /std::(optional|nullopt)\b/,
  set: /std::(multi)?set\b/,
  span: /std::span\b/,
  stdexcept: /std::(runtime_error|logic_error|invalid_argument|out_of_range|length_error|domain_error)\b/,
  string: /std::(string\b(?!_view)|to_string|getline)/,
  string_view: /std::string_view\b/,
  tuple: /std::(tuple|tie|apply|get|make_tuple)\b/,
  type_traits: /std::(is_\w+|decay_t|enable_if\w*|conditional_t|remove_\w+|invoke_result_t|false_type|true_type|common_type_t|make_unsigned_t|underlying_type_t)\b/,
  utility: /std::(move|forward|pair|swap|exchange|index_sequence\w*|make_pair|declval|as_const)\b/,
  vector: /std::vector\b/,
};

/** The names that a header of ours makes known. */
function namesIn(path: string): string[] {
  const text = read(path);
  const declared = [...text.matchAll(/\b(?:struct|class|enum class|using|constexpr [\w:<>]+|concept) (\w+)/g), ...text.matchAll(/^(?:inline |template <[^>]*>\s*|constexpr |\[\[nodiscard\]\] )*[\w:<>&*, ]+?[\s&*>](\w+)\(/gm), ...text.matchAll(/#define (\w+)/g), ...text.matchAll(/\b(k[A-Z]\w+)\b/g)];
  return [...new Set(declared.map((match) => match[1]!))].filter((name) => name !== 'attn');
}

function pathOf(include: string, from: string): string | undefined {
  const here = from.slice(0, from.lastIndexOf('/'));
  const candidates = include.startsWith('"')
    ? [`${here}/${include.slice(1, -1)}`, `cpp/src/${include.slice(1, -1)}`]
    : [`cpp/include/${include.slice(1, -1)}`];
  const known = new Set(filesIn('cpp'));
  return candidates.find((path) => known.has(path));
}

test('no file of the core includes what it does not use', () => {
  const unused: string[] = [];
  for (const path of filesIn('cpp')) {
    const text = read(path);
    const body = text.replace(/^#include.*$/gm, '').replace(/\/\/.*$/gm, '');
    const stem = path.slice(path.lastIndexOf('/') + 1).replace(/\.[ch]pp$/, '');
    for (const [, include] of text.matchAll(/^#include ([<"].+[>"])/gm)) {
      const standard = /^<(\w+)>$/.exec(include!)?.[1];
      if (standard) {
        assert.ok(signs[standard], `${path} includes <${standard}>, of which this test knows no sign`);
        if (!signs[standard].test(body)) unused.push(`${path}: ${include}`);
        continue;
      }
      const ours = pathOf(include!, path);
      // Specialisations are used without being named.
      if (ours === undefined || ours.endsWith(`/${stem}.hpp`) || ours.includes('/fields_')) continue;
      if (!namesIn(ours).some((name) => new RegExp(`\\b${name}\\b`).test(body))) unused.push(`${path}: ${include}`);
    }
  }
  assert.deepEqual(unused, []);
});
