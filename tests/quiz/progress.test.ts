// What is kept of a learner's work: merging, versions, renamed questions, full and broken storage, the way through an address.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { carriedBy, mostCarried, parted } from '../../web/progress/carry.ts';
import { tally } from '../../web/progress/marks.ts';
import {
  emptyRecord,
  gradeOf,
  isTouched,
  mergeForeign,
  mergeQuestion,
  readQuestion,
  type Grade,
  type QuestionRecord,
} from '../../web/quiz/record.ts';
import {
  currentId,
  emptyProgress,
  meet,
  meetExpert,
  openStore,
  readProgress,
  writeProgress,
  type Shelf,
} from '../../web/quiz/store.ts';
import { written } from './scratch.ts';

/** A storage with room for so many characters. */
function shelf(entries: Record<string, string> = {}, room = Infinity): Shelf & { map: Map<string, string> } {
  const map = new Map(Object.entries(entries));
  return {
    map,
    getItem: (key) => map.get(key) ?? null,
    setItem(key, text) {
      const others = [...map]
        .filter(([name]) => name !== key)
        .reduce((sum, [name, kept]) => sum + name.length + kept.length, 0);
      if (others + key.length + text.length > room) throw new DOMException('full', 'QuotaExceededError');
      map.set(key, text);
    },
    removeItem: (key) => void map.delete(key),
    key: (i) => [...map.keys()][i] ?? null,
    get length() {
      return map.size;
    },
  };
}

/** A clock that goes on by one with every look. */
const clock = (from: number) => () => (from += 1);
const record = (part: Partial<QuestionRecord>): QuestionRecord => ({ ...emptyRecord(), ...part });
const at = (time: number, grade: Grade, changed = time) => ({ time, grade, changed });

describe('merging', () => {
  const a = record({ time: 10, picks: [1], reviews: [at(5, 1), at(10, 3)] });
  const b = record({ time: 20, picks: [2], reviews: [at(10, 3), at(20, 2)] });

  test('the later answer counts, reviews of both count once, in either order and as often as one likes', () => {
    const merged = mergeQuestion(a, b);
    assert.deepEqual(merged, record({ time: 20, picks: [2], reviews: [at(5, 1), at(10, 3), at(20, 2)] }));
    assert.deepEqual(mergeQuestion(b, a), merged);
    assert.deepEqual(mergeQuestion(merged, a), merged);
    assert.deepEqual(mergeQuestion(merged, merged), merged);
  });

  test('of one review what was said last counts, also that it was undone', () => {
    const undone = record({ time: 10, reviews: [at(10, 0, 90)] });
    for (const merged of [mergeQuestion(a, undone), mergeQuestion(undone, a)])
      assert.deepEqual(merged.reviews, [at(5, 1), at(10, 0, 90)]);
  });

  test('at the same moment the order still does not matter', () => {
    const [x, y] = [record({ time: 7, text: '甲' }), record({ time: 7, text: '乙' })];
    assert.deepEqual(mergeQuestion(x, y), mergeQuestion(y, x));
  });

  test('a part that the later record lacks is taken from the earlier one', () => {
    assert.equal(mergeQuestion(record({ time: 1, text: '寫過' }), record({ time: 2, rating: 'full' })).text, '寫過');
  });

  test('a text from a file that loses is kept beside the other', () => {
    const merged = mergeForeign(record({ time: 1, text: '檔案裡的' }), record({ time: 2, text: '這裡的' }));
    assert.equal(merged.text, '這裡的');
    assert.deepEqual(merged.earlier, [{ time: 1, text: '檔案裡的' }]);
    assert.deepEqual(mergeForeign(merged, record({ time: 1, text: '檔案裡的' })).earlier, merged.earlier, 'once');
  });
});

describe('grades', () => {
  test('right is Good, right at the second try Hard, anything else Again', () => {
    assert.deepEqual(
      [[true], [false], [false, true], [false, false], [false, false, true], [true, false]].map(gradeOf),
      [3, 1, 2, 1, 1, 3],
    );
  });

  test('a meeting is one review, whatever comes after it', () => {
    const store = openStore({ storage: shelf() });
    const check = meet(store, 'q11');
    for (const right of [false, true, true, false]) check(right);
    const { reviews } = store.all().questions.get('q11')!;
    assert.deepEqual(
      reviews.map(({ grade }) => grade),
      [2],
    );
  });

  test('an expert answer goes by the last rating', () => {
    const store = openStore({ storage: shelf() });
    const rate = meetExpert(store, 'q11');
    for (const rating of ['full', 'none', 'part', 'nonsense']) rate(rating);
    assert.deepEqual(
      store
        .all()
        .questions.get('q11')!
        .reviews.map(({ grade }) => grade),
      [2],
    );
  });

  test('a tally counts what was met and what went well the last time', () => {
    const progress = emptyProgress();
    progress.questions.set('a', record({ reviews: [at(1, 3), at(2, 1)] }));
    progress.questions.set('b', record({ reviews: [at(1, 2)] }));
    progress.questions.set('c', record({ reviews: [at(1, 0)], text: '只寫了字' }));
    assert.deepEqual(tally(['a', 'b', 'c', 'd'], progress), { total: 4, done: 2, right: 1 });
  });
});

describe('versions', () => {
  test('a record of the first version comes along, and is of the second once it is touched', () => {
    const storage = shelf({ 'attn.quiz.q11': JSON.stringify({ version: 1, text: '舊的', rating: 'part' }) });
    const store = openStore({ storage, now: () => 500 });
    assert.equal(store.read('q11').text, '舊的');
    assert.ok(store.write('q11', { text: '新的' }));
    assert.deepEqual(JSON.parse(storage.map.get('attn.quiz.q11')!), {
      version: 2,
      time: 500,
      text: '新的',
      rating: 'part',
    });
  });

  test('a record of a later version is neither read nor changed, and leaves with the file', () => {
    const later = JSON.stringify({ version: 99, text: '新版', more: [1] });
    const storage = shelf({ 'attn.quiz.q11': later });
    const store = openStore({ storage });
    assert.equal(store.read('q11').text, undefined);
    assert.equal(store.write('q11', { text: '我的' }), false);
    assert.equal(store.review('q11', 5, 3), false);
    assert.equal(storage.map.get('attn.quiz.q11'), later);
    const elsewhere = shelf();
    const read = readProgress(writeProgress(store.all()));
    assert.ok(read.state === 'ok');
    openStore({ storage: elsewhere }).receive(read.progress, true);
    assert.equal(elsewhere.map.get('attn.quiz.q11'), later);
  });

  test('a corrupt record counts as none, and is set aside word for word before its place is taken', () => {
    const storage = shelf({ 'attn.quiz.q11': '{broken', 'attn.quiz.q40': '[]' });
    const store = openStore({ storage });
    assert.deepEqual(
      [...store.all().unread],
      [
        ['attn.quiz.q11', '{broken'],
        ['attn.quiz.q40', '[]'],
      ],
    );
    assert.ok(store.write('q11', { picks: [1] }));
    assert.equal(storage.map.get('attn.unread.q11'), '{broken');
    storage.map.set('attn.quiz.q11', 'again{');
    assert.ok(store.write('q11', { picks: [2] }));
    assert.equal(storage.map.get('attn.unread.q11'), '{broken');
    assert.equal(storage.map.get('attn.unread.q11.2'), 'again{');
    assert.deepEqual(store.all().questions.get('q11')!.picks, [2]);
  });

  test('parts that make no sense count as absent, the others stay', () => {
    const garbage = {
      time: -1,
      picks: ['x', 2, null],
      text: { evil: true },
      rating: 7,
      reviews: [[1], [1, 9, 1], [1, 3, 2], 'x', [1e99, 3, 1]],
    };
    assert.deepEqual(readQuestion(garbage), record({ picks: [2], reviews: [at(1, 3, 2)] }));
  });
});

describe('files', () => {
  const full = () => {
    const store = openStore({ storage: shelf(), now: clock(1000) });
    store.write('q11', { text: '<img src=x onerror="alert(1)">\n"引號" \\ ~progress=' });
    store.review('party-shift', 900, 2);
    store.visit('lecture/party', 'formula');
    return store.all();
  };

  test('what goes out comes in as it was, markup as text', () => {
    const there = openStore({ storage: shelf() });
    const read = readProgress(writeProgress(full()));
    assert.ok(read.state === 'ok');
    assert.deepEqual(there.receive(read.progress, true), { questions: 2, lessons: 1, failed: 0 });
    assert.deepEqual({ ...there.all(), cleared: 0 }, full());
  });

  test('what is no progress file says so, a later one too', () => {
    for (const text of ['', '{', 'null', '[]', '7', '{"questions":{}}', '{"format":"attention-companion-progress"}'])
      assert.equal(readProgress(text).state, 'corrupt', text);
    assert.equal(readProgress('{"format":"attention-companion-progress","version":3,"questions":{}}').state, 'newer');
    assert.equal(readProgress(`\uFEFF${writeProgress(emptyProgress())}`).state, 'ok');
  });

  test('names that are none of ours are not taken', () => {
    const text =
      '{"format":"attention-companion-progress","version":2,"questions":{"__proto__":{"text":"x"},"../x":{},"A B":{},"q11":{"text":"好"}},"lessons":{"constructor.x":{}}}';
    const read = readProgress(text);
    assert.ok(read.state === 'ok');
    assert.deepEqual([...read.progress.questions.keys()], ['q11']);
    assert.equal(read.progress.lessons.size, 0);
  });

  test('a question that no longer exists stays, and leaves with the file', () => {
    const store = openStore({ storage: shelf() });
    const progress = emptyProgress();
    progress.questions.set('long-gone', record({ time: 5, text: '還在' }));
    store.receive(progress, true);
    assert.match(writeProgress(store.all()), /long-gone.*還在/);
  });
});

describe('full storage', () => {
  test('an answer that finds no room says so, and what was kept before is still there', () => {
    const storage = shelf({}, 400);
    const store = openStore({ storage });
    assert.ok(store.write('q11', { text: '短的' }));
    const before = storage.map.get('attn.quiz.q11');
    assert.equal(store.write('q11', { text: '長'.repeat(1000) }), false);
    assert.equal(storage.map.get('attn.quiz.q11'), before);
  });

  test('a corrupt record is not overwritten when there is no room to set it aside', () => {
    const broken = '{'.repeat(60);
    const storage = shelf({ 'attn.quiz.q11': broken }, 100);
    const store = openStore({ storage });
    assert.equal(store.write('q11', { picks: [1] }), false);
    assert.equal(storage.map.get('attn.quiz.q11'), broken);
  });

  test('an import that does not fit counts what failed and harms nothing', () => {
    const storage = shelf({}, 300);
    const store = openStore({ storage });
    store.write('q11', { text: '原有的' });
    const progress = emptyProgress();
    progress.questions.set('q40', record({ time: 9, text: '長'.repeat(500) }));
    progress.questions.set('q12', record({ time: 9, picks: [1] }));
    assert.deepEqual(store.receive(progress, true), { questions: 1, lessons: 0, failed: 1 });
    assert.equal(store.read('q11').text, '原有的');
  });

  test('an answer of 100 000 characters is kept where there is room', () => {
    const store = openStore({ storage: shelf({}, 5_000_000) });
    const long = '長'.repeat(100_000);
    assert.ok(store.write('q11', { text: long }));
    assert.equal(store.read('q11').text, long);
  });
});

describe('without storage', () => {
  test('the page still knows what happened on it, and every answer says that it was not kept', () => {
    const store = openStore({ storage: undefined });
    assert.equal(store.works, false);
    assert.equal(store.write('q11', { text: '寫了' }), false);
    assert.equal(store.read('q11').text, '寫了');
  });
});

describe('two tabs of one browser', () => {
  test('each keeps its own questions', () => {
    const storage = shelf();
    const [one, two] = [openStore({ storage }), openStore({ storage })];
    one.write('q11', { text: '甲' });
    two.write('q40', { text: '乙' });
    one.write('q11', { text: '甲甲' });
    const { questions } = one.all();
    assert.deepEqual([questions.get('q11')!.text, questions.get('q40')!.text], ['甲甲', '乙']);
  });

  test('on the same question the later answer counts and the other is not lost', () => {
    const storage = shelf();
    const [one, two] = [openStore({ storage, now: clock(10) }), openStore({ storage, now: clock(20) })];
    one.read('q11');
    two.read('q11');
    one.write('q11', { text: '第一個分頁' });
    one.review('q11', 11, 1);
    two.write('q11', { text: '第二個分頁' });
    two.write('q11', { text: '第二個分頁，寫完了' });
    two.review('q11', 21, 3);
    const kept = one.all().questions.get('q11')!;
    assert.equal(kept.text, '第二個分頁，寫完了');
    assert.deepEqual(
      kept.earlier.map(({ text }) => text),
      ['第一個分頁'],
    );
    assert.deepEqual(
      kept.reviews.map(({ grade }) => grade),
      [1, 3],
    );
  });

  test('a clock that goes back does not make an old answer win', () => {
    const store = openStore({ storage: shelf(), now: () => 5 });
    const progress = emptyProgress();
    progress.questions.set('q11', record({ time: 1000, text: '快的時鐘' }));
    store.receive(progress);
    store.write('q11', { text: '後來寫的' });
    store.receive(progress);
    assert.equal(store.read('q11').text, '後來寫的');
  });

  test('an answer that is written anew keeps the one before it', () => {
    const store = openStore({ storage: shelf() });
    store.write('q11', { text: '上個月的' });
    store.anew('q11');
    for (const text of ['今', '今天', '今天的']) store.write('q11', { text });
    const kept = store.all().questions.get('q11')!;
    assert.equal(kept.text, '今天的');
    assert.deepEqual(
      kept.earlier.map(({ text }) => text),
      ['上個月的'],
    );
  });
});

describe('clearing', () => {
  test('everything of ours goes, and nothing of others', () => {
    const storage = shelf({ 'attn-theme': 'dark', other: '1', 'attn.quiz.q12': '{broken' });
    const store = openStore({ storage });
    store.write('q11', { text: '寫了' });
    store.visit('lecture/party');
    store.clear();
    assert.deepEqual([...storage.map.keys()].sort(), ['attn-theme', 'attn.cleared', 'other']);
  });

  test('a page that has not heard of it brings nothing back, and hears of it', () => {
    const now = clock(100);
    const [here, there] = [openStore({ storage: shelf(), now }), openStore({ storage: shelf(), now })];
    here.write('q11', { text: '要清掉的' });
    there.receive(here.all());
    here.clear();
    here.receive(there.all());
    assert.equal(here.all().questions.size, 0);
    there.write('q40', { text: '清除之後寫的' });
    there.receive(here.all());
    assert.deepEqual([...there.all().questions.keys()], ['q40']);
    here.receive(there.all());
    assert.deepEqual([...here.all().questions.keys()], ['q40']);
  });

  test('a file brings back what was cleared', () => {
    const store = openStore({ storage: shelf(), now: clock(100) });
    store.write('q11', { text: '有一份檔案' });
    const file = writeProgress(store.all());
    store.clear();
    const read = readProgress(file);
    assert.ok(read.state === 'ok');
    store.receive(read.progress, true);
    assert.equal(store.read('q11').text, '有一份檔案');
  });
});

describe('renamed questions', () => {
  const renamed = { q11: 'party-sum', 'party-sum': 'party-total' };

  test('a record moves to the new id when a page opens, and merges with what is there', () => {
    const storage = shelf({
      'attn.quiz.q11': JSON.stringify({ version: 2, time: 5, text: '舊名下的', reviews: [[5, 3, 5]] }),
      'attn.quiz.party-total': JSON.stringify({ version: 2, time: 9, reviews: [[9, 1, 9]] }),
    });
    const store = openStore({ storage, renamed });
    assert.deepEqual([...store.all().questions.keys()], ['party-total']);
    const moved = store.all().questions.get('party-total')!;
    assert.equal(moved.text, '舊名下的');
    assert.deepEqual(moved.reviews, [at(5, 3), at(9, 1)]);
  });

  test('without room for the new one the old one stays', () => {
    const old = JSON.stringify({ version: 2, time: 5, text: '舊' });
    const storage = shelf({ 'attn.quiz.q11': old }, 60);
    openStore({ storage, renamed });
    assert.deepEqual([...storage.map], [['attn.quiz.q11', old]]);
  });

  test('a file with old ids arrives under the new ones', () => {
    const store = openStore({ storage: shelf(), renamed });
    const progress = emptyProgress();
    progress.questions.set('party-sum', record({ time: 5, text: '檔案' }));
    store.receive(progress, true);
    assert.equal(store.read('party-total').text, '檔案');
  });

  test('the list names questions that exist, by ids that no longer do, and comes to an end', () => {
    const list = JSON.parse(readFileSync(new URL('../../lessons/renames.json', import.meta.url), 'utf8')) as Record<
      string,
      string
    >;
    const faults = (names: Record<string, string>): string[] =>
      Object.keys(names).flatMap((old) => {
        const steps = new Set<string>();
        for (let id = old; Object.hasOwn(names, id); id = names[id]!) {
          if (steps.has(id)) return [`${old} goes in a circle`];
          steps.add(id);
        }
        if (written.has(old)) return [`${old} is still in the bank`];
        return written.has(currentId(old, names)) ? [] : [`${old} becomes ${names[old]}, which is not in the bank`];
      });
    assert.deepEqual(faults(list), []);
    assert.equal(faults({ 'long-gone': 'q11', older: 'long-gone' }).length, 0);
    assert.equal(faults({ q11: 'q40' }).length, 1);
    assert.equal(faults({ 'long-gone': 'nowhere' }).length, 1);
    assert.equal(faults({ a: 'b', b: 'a' }).length, 2);
  });
});

describe('in an address', () => {
  const some = () => {
    const progress = emptyProgress();
    progress.questions.set('q11', record({ time: 5, text: '中文 𝄞 <b>', reviews: [at(5, 3)] }));
    return progress;
  };

  test('progress stands behind whatever the hash says, and comes off again', () => {
    const { hash, short } = carriedBy(some());
    assert.equal(short, false);
    assert.match(hash, /^~progress=[\w-]+$/);
    for (const before of ['', '#formula', '#party-party?scores=1,2;3'])
      assert.deepEqual(parted(`${before}${hash}`), { hash: before, progress: some() });
    assert.deepEqual(parted('#formula'), { hash: '#formula' });
  });

  test('nothing is carried where there is nothing, and nothing is read from a broken address', () => {
    assert.equal(carriedBy(emptyProgress()).hash, '');
    for (const broken of ['', 'x', '%%%', 'bm90anNvbg', 'e30'])
      assert.deepEqual(parted(`#formula~progress=${broken}`), { hash: '#formula' });
  });

  test('a bank of 150 questions fits; a long text stays behind and says so', () => {
    const progress = some();
    for (let i = 0; i < 150; i += 1)
      progress.questions.set(`question-${i}`, record({ time: 1.7e12, picks: [1], reviews: [at(1.7e12, 3)] }));
    const all = carriedBy(progress);
    assert.ok(!all.short && all.hash.length <= mostCarried, `${all.hash.length}`);
    progress.questions.set('q40', record({ time: 9, text: '長'.repeat(100_000), reviews: [at(9, 2)] }));
    const { hash, short } = carriedBy(progress);
    assert.ok(short && hash.length > 0 && hash.length <= mostCarried, `${hash.length}`);
    const arrived = parted(hash).progress!;
    assert.equal(arrived.questions.size, progress.questions.size);
    assert.deepEqual(arrived.questions.get('q40'), record({ time: 9, reviews: [at(9, 2)] }));
  });

  test('what came without its text does not take the text of the page where it arrives', () => {
    const store = openStore({ storage: shelf(), now: clock(10) });
    store.write('q40', { text: '長長的' });
    const progress = emptyProgress();
    progress.questions.set('q40', record({ time: 99, reviews: [at(99, 2)] }));
    store.receive(progress);
    assert.equal(store.read('q40').text, '長長的');
  });
});

test('an empty record is nothing that anybody would miss', () => {
  assert.equal(isTouched(record({ time: 5, text: ' ', picks: [], reviews: [at(1, 0)] })), false);
  assert.equal(isTouched(record({ earlier: [{ time: 1, text: '舊' }] })), true);
});
