// Breaks one line of the core at a time, in a copy, and expects the Catch2 suite to turn red. A row that no longer fits the
// source, or does not compile, is a failure too. `node tests/mutation.mjs WORD` runs the rows with that word in their name.
// Only what includes the broken file is compiled again; it is linked with the other objects of build/native.
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { at, ROOT } from '../tools/lib/root.mjs';
import { must, run } from '../tools/lib/run.mjs';
import { cmake, inParallel } from '../tools/lib/site.mjs';
import { seconds } from '../tools/lib/steps.mjs';

const MUTATIONS = [
  {
    name: 'the scores are not divided by the root of d_k',
    file: 'cpp/src/attention.cpp',
    from: 'return options.scaled ? std::sqrt(static_cast<double>(q.cols())) : 1;',
    to: 'return 1;',
  },
  {
    name: 'the mask comes after softmax',
    file: 'cpp/src/attention.cpp',
    from: 't.weights = softmax_of_rows(t.scores);',
    to: `Matrix unmasked = scaled_scores(q, k, divisor_of(q, options));
  t.weights = softmax_of_rows(unmasked);
  for (Index i = 0; i < t.scores.rows(); ++i)
    for (Index j = 0; j < t.scores.cols(); ++j)
      if (std::isinf(t.scores(i, j))) t.weights(i, j) = 0;`,
  },
  {
    name: 'softmax does not subtract the maximum',
    file: 'cpp/src/softmax_pass.hpp',
    from: 'visible ? exp(scores[j] - max) : T(0)',
    to: 'visible ? exp(scores[j]) : T(0)',
  },
  {
    name: 'softmax runs down the columns',
    file: 'cpp/src/attention_passes.hpp',
    from: `  for (Index i = 0; i < scores.rows(); ++i)
    softmax_pass(scores.cols(), &scores(i, 0), &weights(i, 0));
  return weights;`,
    to: `  const MatrixOf<T> columns = scores.transpose();
  MatrixOf<T> shares(columns.rows(), columns.cols());
  for (Index i = 0; i < columns.rows(); ++i)
    softmax_pass(columns.cols(), &columns(i, 0), &shares(i, 0));
  weights = shares.transpose();
  return weights;`,
  },
  {
    name: 'the heads are not mixed by W_O',
    file: 'cpp/src/multi_head.cpp',
    from: 't.output = project(t.concat, weights.w_o);',
    to: 't.output = t.concat;',
  },
  {
    name: 'a query sees one key of the future',
    file: 'cpp/src/attention.cpp',
    from: 'const bool later = j > options.query_offset + query;',
    to: 'const bool later = j > options.query_offset + query + 1;',
  },
  {
    name: 'LayerNorm divides by d − 1',
    file: 'cpp/src/layer_norm.cpp',
    from: 'variance += (x(i, j) - mean) * (x(i, j) - mean) / d;',
    to: 'variance += (x(i, j) - mean) * (x(i, j) - mean) / (d > 1 ? d - 1 : d);',
  },
  {
    name: 'blocks are averaged, not merged',
    file: 'cpp/src/online_softmax.cpp',
    from: 's.output.push_back(of_a / s.sum * a.output[c] + of_b / s.sum * b.output[c]);',
    to: 's.output.push_back((a.output[c] + b.output[c]) / 2);',
  },
  {
    name: 'pre-norm and post-norm are swapped',
    file: 'cpp/src/sublayer.cpp',
    from: `  return options.norm_first
             ? sum
             : normalize(options.norm, sum, affine, options.epsilon);`,
    to: `  return options.norm_first
             ? normalize(options.norm, sum, affine, options.epsilon)
             : sum;`,
  },
  {
    name: 'the 2i of a sinusoid is doubled again',
    file: 'cpp/src/sinusoidal.cpp',
    from: 'const double exponent = -2.0 * static_cast<double>(i);',
    to: 'const double exponent = -2.0 * static_cast<double>(2 * i);',
  },
  {
    name: 'rotary positions pair the wrong columns',
    file: 'cpp/src/rotary.cpp',
    from: 'const bool halves = rotary.layout == RotaryLayout::kHalfSplit;',
    to: 'const bool halves = rotary.layout == RotaryLayout::kInterleaved;',
  },
  {
    name: 'ALiBi gives 6 heads the rule of a power of two',
    file: 'cpp/src/alibi.cpp',
    from: 'while (2 * below <= heads) below *= 2;',
    to: 'below = heads;',
  },
  {
    name: 'Linformer mixes features, not tokens',
    file: 'cpp/src/linformer_passes.hpp',
    from: 't.projected_keys = weighted_values(e, k);',
    to: `t.projected_keys = MatrixOf<T>(e.rows(), k.cols());
  for (Index s = 0; s < e.rows(); ++s)
    for (Index c = 0; c < k.cols(); ++c) {
      T sum = e(s, 0) * k(s % k.rows(), c);
      for (Index j = 1; j < e.cols(); ++j)
        sum += e(s, j) * k(s % k.rows(), (c + j) % k.cols());
      t.projected_keys(s, c) = sum;
    }`,
  },
  {
    name: 'an expert takes one token over its capacity',
    file: 'cpp/src/mixture_of_experts.cpp',
    from: 'd.kept.push_back(load < d.capacity);',
    to: 'd.kept.push_back(load <= d.capacity);',
  },
  {
    name: 'a tie between experts goes to the last',
    file: 'cpp/src/mixture_of_experts.cpp',
    from: '[&](int a, int b) { return m(i, a) > m(i, b); });',
    to: '[&](int a, int b) { return m(i, a) > m(i, b) || (m(i, a) == m(i, b) && a > b); });',
  },
  {
    name: 'patches are numbered column by column',
    file: 'cpp/src/patchify.cpp',
    from: 'const Index token = Index{r / patch} * across + c / patch;',
    to: 'const Index token = Index{c / patch} * (height / patch) + r / patch;',
  },
  {
    name: 'BLEU does not clip',
    file: 'cpp/src/bleu.cpp',
    from: 'p.clipped += std::min(count, found->second);',
    to: 'p.clipped += count;',
  },
  {
    name: 'the matching is greedy',
    file: 'cpp/src/matching.cpp',
    from: `  require_cost(cost);
  const auto rows = static_cast<size_t>(cost.rows());`,
    to: `  return match_greedily(cost);
  const auto rows = static_cast<size_t>(cost.rows());`,
  },
];

const NATIVE = at('build/native');
const COPY = at('build/mutation');
const PROGRAM = join(COPY, 'attn_tests');

/** The objects of the suite, each with the command that makes it and the files it depends on. */
async function objectsOfSuite() {
  const listing = await must('reading what depends on what', 'ninja', ['-C', NATIVE, '-t', 'deps']);
  const needs = new Map(
    listing.split(/\n(?=\S)/).map((block) => {
      const [first, ...files] = block.split('\n').map((line) => line.trim());
      return [first.split(': #deps')[0], files];
    }),
  );
  const building = await must('reading what is linked', 'ninja', ['-C', NATIVE, '-t', 'commands', 'attn_tests']);
  const linked = new Set(Array.from(building.matchAll(/ -o (\S+\.o) /g), ([, object]) => object));
  return JSON.parse(readFileSync(join(NATIVE, 'compile_commands.json'), 'utf8'))
    .map(({ command }) => ({ command, object: / -o (\S+)/.exec(command)[1] }))
    .filter(({ object }) => linked.has(object))
    .map((entry) => ({ ...entry, needs: needs.get(entry.object) ?? [] }));
}

/** Compiles an object from the copy, quickly, and with no word about what a broken line leaves unused. */
async function compile({ command, object }, place) {
  const output = join(COPY, `${place}.o`);
  const line = command.replaceAll(at('cpp'), join(COPY, 'cpp')).replace(` -o ${object}`, ` -o ${output}`);
  await must('compiling', 'sh', ['-c', `${line} -O1 -w`], { cwd: NATIVE });
  return output;
}

async function rebuild(file, objects) {
  const touched = objects.filter(({ needs }) => needs.includes(at(file)));
  if (touched.length === 0) throw new Error('nothing in the suite includes it');
  const fresh = new Map();
  await inParallel([...touched.entries()], async ([place, entry]) => fresh.set(entry, await compile(entry, place)));
  const [compiler] = objects[0].command.split(' ');
  const files = objects.map((entry) => fresh.get(entry) ?? join(NATIVE, entry.object));
  await must('linking', compiler, ['-o', PROGRAM, ...files]);
}

/** What went wrong with a row, or "" when the suite noticed the broken line. */
async function trial({ file, from, to }, objects) {
  if (!existsSync(at(file))) return `there is no ${file}`;
  const text = readFileSync(at(file), 'utf8');
  const places = text.split(from).length - 1;
  if (places !== 1) return `the line stands in ${file} ${places} times`;
  const copy = join(COPY, file);
  writeFileSync(
    copy,
    text.replace(from, () => to),
  );
  try {
    await rebuild(file, objects);
    const { code } = await run(PROGRAM, ['--abort'], { seconds: 300, log: 'mutation-suite' });
    return code === 0 ? 'the suite stayed green' : '';
  } catch (error) {
    return error.message;
  } finally {
    writeFileSync(copy, text);
  }
}

await cmake('native', ['attn_tests']);
await must('the suite, before anything is broken,', join(NATIVE, 'attn_tests'), []);
rmSync(COPY, { recursive: true, force: true });
mkdirSync(COPY, { recursive: true });
cpSync(join(ROOT, 'cpp'), join(COPY, 'cpp'), { recursive: true });
const objects = await objectsOfSuite();

const word = process.argv[2] ?? '';
let passed = 0;
let failed = 0;
for (const mutation of MUTATIONS.filter(({ name }) => name.includes(word))) {
  const start = performance.now();
  const problem = await trial(mutation, objects);
  if (problem) failed += 1;
  else passed += 1;
  console.log(`${problem ? 'FAIL' : 'ok  '} ${mutation.name}, ${seconds(start)}${problem && `: ${problem}`}`);
}
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed > 0 || passed === 0 ? 1 : 0);
