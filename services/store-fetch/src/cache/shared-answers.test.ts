import type { SharedCache } from '@shelfwise/runtime/redis/shared-cache';
import { createFakeClock } from '../../test/fake-clock.ts';
import { createAnswerCache } from './answer-cache.ts';
import { chartSchema, listingSchema, suggestSchema } from './answer-schemas.ts';
import { createSharedAnswers } from './shared-answers.ts';

const minuteMs = 60_000;

/** Values in memory; `written` settles once the next value is stored. */
function createMemoryCache() {
  const values = new Map<string, Uint8Array>();
  let onSet = () => {};
  const cache: SharedCache = {
    get: async (key) => values.get(key) ?? null,
    set(key, value) {
      values.set(key, value);
      onSet();
    },
  };
  return { cache, values, written: () => new Promise<void>((resolve) => (onSet = resolve)) };
}

const answerAt = (readAt: Date, terms = ['notes app']) => ({
  readAt,
  source: 'app-store' as const,
  terms,
  isUncertain: false,
  isThorough: true,
});

function start({ at = '2026-11-21T12:00:00Z', aheadMs = 0, scopes = ['live', 'live'] } = {}) {
  const clock = createFakeClock(at);
  const memory = createMemoryCache();
  function createCopy(scope = '', ms = 0) {
    const now = () => new Date(clock.now().getTime() + ms);
    const shared = createSharedAnswers({ cache: memory.cache, scope, now });
    const cache = createAnswerCache({ maxBytes: 1024 * 1024, now, shared });
    return {
      now,
      section: cache.section('suggest', suggestSchema),
      other: cache.section('chart', chartSchema),
    };
  }
  const a = createCopy(scopes[0]);
  const b = createCopy(scopes[1], aheadMs);
  async function share(key: string, answer = answerAt(a.now()), ms = 10 * minuteMs) {
    const written = memory.written();
    a.section.set(key, answer, new Date(a.now().getTime() + ms));
    await written;
    return answer;
  }
  return { clock, memory, a, b, share, find: (key: string) => b.section.findShared?.(key) };
}

test('another copy finds the same answer, dates included, and then has it in memory until it expires', async () => {
  const { clock, b, share, find } = start();
  const answer = await share('pho');
  expect(b.section.get('pho')).toBeUndefined();
  expect(await find('pho')).toEqual(answer);
  await clock.advance(10 * minuteMs - 1);
  expect(b.section.get('pho')).toEqual(answer);
  await clock.advance(1);
  expect(b.section.get('pho')).toBeUndefined();
  expect(await find('pho')).toBeUndefined();
});

test('an answer under another key, of another kind or of another scope is not found', async () => {
  const { a, share, find } = start();
  await share('pho');
  expect(await find('photo')).toBeUndefined();
  expect(await a.other.findShared?.('pho')).toBeUndefined();
  const elsewhere = start({ scopes: ['live', 'replay'] });
  await elsewhere.share('pho');
  expect(await elsewhere.find('pho')).toBeUndefined();
});

test('of two answers in one slot each is found under its own key only', async () => {
  const { memory, share, find } = start();
  await share('pho');
  await share('photo');
  const [[, first], [slot]] = [...memory.values] as [[string, Uint8Array], [string, Uint8Array]];
  memory.values.set(slot, first);
  expect(await find('photo')).toBeUndefined();
});

test.each([
  ['another shape', { ...answerAt(new Date()), isThorough: undefined }],
  ['an unknown field', { ...answerAt(new Date()), isNew: true }],
  ['a value of another type', { ...answerAt(new Date()), terms: [7] }],
  ['an invalid date', answerAt(new Date(Number.NaN))],
])('an answer with %s is missing', async (_name, answer) => {
  const { share, find } = start();
  await share('pho', answer as ReturnType<typeof answerAt>);
  expect(await find('pho')).toBeUndefined();
});

test('a value that is cut, is no JSON or grows without end is missing', async () => {
  const { clock, memory, share, find } = start();
  await share('pho');
  const [[key, whole]] = [...memory.values] as [[string, Uint8Array]];
  const huge = createMemoryCache();
  const written = huge.written();
  createSharedAnswers({ cache: huge.cache, scope: 'live', now: clock.now })
    .section('suggest', suggestSchema)
    .save('pho', answerAt(clock.now(), ['x'.repeat(5_000_000)]), new Date(clock.now().getTime() + minuteMs));
  await written;
  for (const value of [
    whole.subarray(0, 40),
    Buffer.from('{}'),
    Buffer.alloc(0),
    [...huge.values.values()][0],
  ]) {
    memory.values.set(key, value as Uint8Array);
    expect(await find('pho')).toBeUndefined();
  }
});

test('an answer of a day is not used before that day starts by the clock of the reader', async () => {
  const { clock, share, find } = start({ at: '2026-11-22T00:00:10Z', aheadMs: -30_000 });
  const answer = await share('pho');
  expect(await find('pho')).toBeUndefined();
  await clock.advance(20_000);
  expect(await find('pho')).toEqual(answer);
});

test('by a fast clock an answer expires early, and never lives longer', async () => {
  const { share, find } = start({ aheadMs: 10 * minuteMs });
  await share('pho');
  expect(await find('pho')).toBeUndefined();
});

test('an answer that expires earlier does not replace the one in memory', async () => {
  const { b, share, find } = start();
  const own = answerAt(b.now(), ['own']);
  b.section.set('pho', own, new Date(b.now().getTime() + 5 * minuteMs));
  await share('pho', answerAt(b.now(), ['shared']), minuteMs);
  await find('pho');
  expect(b.section.get('pho')).toEqual(own);
});

test('that a store has no such app is shared, too', async () => {
  const { memory, clock } = start();
  const shared = createSharedAnswers({ cache: memory.cache, scope: 'live', now: clock.now });
  const section = shared.section('listing', listingSchema);
  const answer = { missing: 'The App Store has no app 1 in US.', readAt: clock.now() };
  const written = memory.written();
  section.save('1', answer, new Date(clock.now().getTime() + minuteMs));
  await written;
  expect((await section.find('1'))?.answer).toEqual(answer);
});
