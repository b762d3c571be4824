import { fastBuild } from '../core/fast-support.ts';
import { loadFast, startPool } from '../core/fast-load.ts';
import type { FastPool } from '../core/fast-pool.ts';
import { CoreError } from '../core/errors.ts';
import { loadCore } from '../core/load.ts';
import { MOST } from '../core/tensor.ts';
import { fixed, grouped, scientific } from '../labs/kit/format.ts';
import { times } from '../labs/kit/units.ts';
import { announce } from '../site/announce.ts';
import { t } from '../site/strings.ts';
import { LONGEST_OF_MANY, measure, roundsFor, type Measured, type Setting, type Way } from './measure.ts';
import { least, median } from './times.ts';

const host = document.querySelector<HTMLElement>('[data-speed]');

/** Workers that do something at the same time. */
const size = Math.max(1, Math.min(8, navigator.hardwareConcurrency || 1));
const HUNDRED_MILLION = 1e8;
const MILLISECONDS = 1000;

const ms = (time: number): string => grouped(time, time < 100 ? 1 : 0);
const nameOf = (way: Way): string => t(`speed.way.${way}`, way === 'all' ? { workers: size } : {});

function sentenceOf({ setting, ways, elements }: Measured): string {
  const of = (way: Way): number | undefined => {
    const found = ways.find((timed) => timed.way === way);
    return found && least(found.times);
  };
  const one = of('one')!;
  const [all, whole] = [of('all'), of('whole')];
  const slots = { n: setting.n, heads: t(`speed.heads.${setting.heads}`), time: ms(one) };
  const parts = [t(setting.causal ? 'speed.said.causal' : 'speed.said', slots)];
  if (all !== undefined) parts.push(all <= one ? t('speed.said.workers', { workers: size, ratio: fixed(times(one, all)) }) : t('speed.said.workers-slower', { workers: size, ratio: fixed(times(all, one)) }));
  if (whole === undefined) parts.push(t('speed.too-large', { count: grouped(elements, 0), limit: grouped(MOST, 0) }));
  else if (whole >= one) parts.push(t('speed.said.whole', { time: ms(whole), ratio: fixed(times(whole, one)) }));
  else parts.push(t('speed.said.whole-slower', { time: ms(whole), ratio: fixed(times(one, whole)) }));
  return parts.join('');
}

function checkOf(gap: number): string {
  if (gap === 0) return t('speed.check.same');
  const { mantissa, exponent } = scientific(gap);
  return t('speed.check', { mantissa, exponent: -exponent });
}

function set(root: HTMLElement): void {
  const part = <E extends HTMLElement>(name: string): E => root.querySelector<E>(`[data-part="${name}"]`)!;
  const [form, stop, status, result] = [part<HTMLFormElement>('form'), part<HTMLButtonElement>('stop'), part('status'), part('result')];
  const progress = part<HTMLProgressElement>('progress');
  const run = part<HTMLButtonElement>('run');
  const field = (name: string) => form.elements.namedItem(name) as HTMLSelectElement & HTMLInputElement;
  let pool: FastPool | undefined;
  let busy: AbortController | undefined;

  function read(): { setting: Setting; note: string } {
    const n = Number(field('n').value);
    const wanted = Number(field('heads').value);
    const heads = n > LONGEST_OF_MANY ? 1 : wanted;
    return { setting: { n, heads, causal: field('causal').checked }, note: heads === wanted ? '' : t('speed.one-head') };
  }

  function show(measured: Measured): void {
    const { ways, flops, scratch, gap } = measured;
    part('sentence').textContent = sentenceOf(measured);
    part('scratch').textContent = t('speed.scratch', { kib: fixed(times(scratch, 1024), 1) });
    part('check').textContent = checkOf(gap);
    part('rows').replaceChildren(
      ...ways.map(({ way, times: list }) => {
        const row = document.createElement('tr');
        const head = document.createElement('th');
        head.scope = 'row';
        head.textContent = nameOf(way);
        const cells = [ms(least(list)), ms(median(list)), grouped(times(times(flops, HUNDRED_MILLION), times(least(list), MILLISECONDS)), 0)];
        row.append(head, ...cells.map((text) => Object.assign(document.createElement('td'), { textContent: text })));
        return row;
      }),
    );
    const bars = ways.map(({ way, times: list }) => ({ time: least(list), text: t('speed.bar', { name: nameOf(way), time: ms(least(list)) }) }));
    const longest = Math.max(...bars.map(({ time }) => time));
    part('bars').setAttribute('aria-label', t('speed.bars', { list: bars.map(({ text }) => text).join('、') }));
    part('bars').replaceChildren(
      ...bars.map(({ time, text }) => {
        const bar = document.createElement('span');
        bar.className = 'speed-bar';
        bar.style.setProperty('--share', String(times(time, longest)));
        bar.textContent = text;
        return bar;
      }),
    );
    result.hidden = false;
  }

  const say = (text: string): void => {
    status.textContent = text;
    announce(text);
  };

  async function begin(): Promise<void> {
    if (busy) return;
    const mine = (busy = new AbortController());
    const { setting, note } = read();
    run.setAttribute('aria-disabled', 'true');
    stop.hidden = false;
    progress.hidden = false;
    progress.value = 0;
    say(note + t('speed.preparing'));
    const rounds = roundsFor(setting.n);
    try {
      const [core, fast] = await Promise.all([loadCore(), loadFast()]);
      pool ??= startPool(size);
      const measured = await measure(core, fast, pool, setting, {
        signal: mine.signal,
        onProgress(way, round, share, all) {
          progress.value = all;
          status.textContent = note + t('speed.working', { round, rounds, name: nameOf(way), percent: fixed(100 * share, 0) });
        },
      });
      show(measured);
      say(note + t('speed.done', { sentence: sentenceOf(measured) }));
    } catch (error) {
      if (mine.signal.aborted) say(t(result.hidden ? 'speed.stopped' : 'speed.stopped-kept'));
      else say(t('speed.failed', { message: error instanceof CoreError ? error.code : String(error) }));
    } finally {
      busy = undefined;
      if (document.activeElement === stop) run.focus();
      stop.hidden = true;
      progress.hidden = true;
      run.removeAttribute('aria-disabled');
    }
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void begin();
  });
  stop.addEventListener('click', () => busy?.abort());
  // Whoever comes back finds the page as it was, and the workers gone.
  addEventListener('pagehide', () => {
    busy?.abort();
    pool?.close();
    pool = undefined;
  });

  part('still').hidden = true;
  if (fastBuild() === null) {
    status.textContent = t('speed.no-simd');
    return;
  }
  part('live').hidden = false;
  status.textContent = t('speed.ready');
}

if (host) set(host);
