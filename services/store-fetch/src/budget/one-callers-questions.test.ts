import { AppError } from '@shelfwise/runtime/errors';
import fc from 'fast-check';
import { createFakeClock } from '../../test/fake-clock.ts';
import { createMemoryBuckets } from '../../test/memory-buckets.ts';
import { createMemoryRecords } from '../../test/memory-records.ts';
import { questionAbout } from '../../test/question-about.ts';
import type { Address } from '../store-health/endpoints.ts';
import { createSharedBreakers } from '../store-health/shared-breakers.ts';
import { StoreFailure, type StoreFailureKind } from '../store-health/store-failure.ts';
import { createStoreAccess } from './store-access.ts';
import { forDailyRun, type Urgency, urgentFor } from './urgency.ts';

/** How the store fails for a term: `null` is an answer. */
type Fault = (term: string, call: number) => StoreFailure | null;

const failure = (kind: StoreFailureKind, isPermanent = false) =>
  new StoreFailure(kind, `failed (${kind})`, { isPermanent });

const kinds = [
  ['blocked', failure('blocked')],
  ['captcha', failure('captcha')],
  ['a 500', failure('error')],
  ['a lasting error', failure('error', true)],
  ['a timeout', failure('timeout')],
  ['a broken connection', failure('unreachable')],
  ['a malformed answer', failure('malformed')],
] as const;

const isBad = (term: string) => term.startsWith('bad');

/** Copies of the service with one breaker record, and a store that fails as `fault` says. */
function start(options: { copies?: number; addresses?: string[]; perMinute?: number } = {}) {
  const { copies: copyCount = 1, addresses: labels = ['direct'], perMinute = 6000 } = options;
  const clock = createFakeClock();
  const addresses: Address[] = labels.map((label) => ({ label, dispatcher: undefined }));
  const buckets = createMemoryBuckets(clock);
  const { records } = createMemoryRecords(clock);
  const store = { fault: (() => null) as Fault, calls: [] as { term: string; atMs: number }[] };
  const startedAtMs = clock.now().getTime();
  async function call(term: string): Promise<void> {
    store.calls.push({ term, atMs: clock.now().getTime() - startedAtMs });
    const failed = store.fault(term, store.calls.length);
    if (failed) throw failed;
  }
  const known = { question: { ...questionAbout('known'), isAnswered: true }, attempt: () => call('known') };
  const copies = Array.from({ length: copyCount }, () =>
    createStoreAccess({
      addresses,
      buckets,
      clock,
      random: () => 0.5,
      perMinute: { itunes: perMinute, 'itunes-hints': 60, 'itunes-pages': 60, play: 60 },
      observer: { onCall: () => {}, onRefused: () => {}, onSlotGranted: () => {} },
      knownQuestions: new Map([['itunes-search', known]]),
      shared:
        copyCount === 1
          ? null
          : {
              breakers: createSharedBreakers({ records, scope: 'test', clock }),
              failures: { find: async () => undefined, save: () => {} },
            },
    }),
  );

  /** Resolves to true when the store has answered, to false when the request failed. */
  function ask(term: string, caller: string | Urgency, copy = 0): Promise<boolean> {
    const access = copies[copy];
    if (!access) throw new Error(`no copy ${copy}`);
    const urgency = typeof caller === 'string' ? urgentFor(caller) : caller;
    const signal = new AbortController().signal;
    return access
      .callWithBudget({ endpoint: 'itunes-search', question: questionAbout(term), urgency, signal }, () =>
        call(term),
      )
      .then(
        () => true,
        (error) => {
          expect(error).toBeInstanceOf(AppError);
          return false;
        },
      );
  }

  /** The outcome of requests within `ms`. */
  async function within(ms: number, requests: readonly Promise<boolean>[]): Promise<boolean[]> {
    const outcomes = Promise.all(requests);
    await clock.advance(ms);
    return outcomes;
  }

  return { clock, store, ask, within, copies };
}

let terms = 0;
const newTerm = (kind = 'good') => `${kind} ${terms++}`;
const allAnswered = (outcomes: readonly boolean[]) => outcomes.every(Boolean);

describe.each(kinds)('a store that fails with %s for the questions of one account only', (_name, failed) => {
  const fault: Fault = (term) => (isBad(term) ? failed : null);

  test.each([
    ['one process', {}],
    ['three addresses', { addresses: ['direct', 'a', 'b'] }],
    ['two copies', { copies: 2 }],
  ])('answers all calls of the others: %s', async (_where, options) => {
    const { store, ask, within, clock } = start(options);
    store.fault = fault;
    await within(1000, [ask('good before', 'victim', (options as { copies?: number }).copies ? 1 : 0)]);
    for (let i = 0; i < 11; i++) {
      const attack = [ask(newTerm('bad'), 'attacker'), ask(newTerm('bad'), 'attacker')];
      const victim = [ask(newTerm(), 'victim', 'copies' in options ? 1 : 0), ask(newTerm(), forDailyRun)];
      expect(allAnswered(await within(3000, victim))).toBe(true);
      expect(await within(0, attack)).toEqual([false, false]);
      await clock.advance(1000);
    }
  });

  test('answers all calls of the others, also if it has answered none before', async () => {
    const { store, ask, within } = start();
    store.fault = fault;
    for (let i = 0; i < 30; i++)
      await within(2000, [ask(newTerm('bad'), 'attacker'), ask(newTerm('bad'), 'another attacker')]);
    const victims = Array.from({ length: 11 }, () => ask(newTerm(), 'victim'));
    expect(allAnswered(await within(5000, victims))).toBe(true);
  });

  test('answers the good questions of that account, too', async () => {
    const { store, ask, within } = start();
    store.fault = fault;
    await within(0, [ask('good before', 'account')]);
    for (let i = 0; i < 10; i++) {
      await within(3000, [ask(newTerm('bad'), 'account')]);
      expect(await within(3000, [ask(newTerm(), 'account')])).toEqual([true]);
    }
  });
});

test.each(['one after the other', 'at the same time'])(
  'two accounts that mix refusals and timeouts close nothing for a third: %s',
  async (order) => {
    const { store, ask, within } = start();
    store.fault = (term) => (isBad(term) ? failure(terms % 2 === 0 ? 'blocked' : 'timeout') : null);
    await within(0, [ask('good before', 'victim')]);
    for (let i = 0; i < 30; i++) {
      const ms = order === 'at the same time' ? 0 : 1500;
      const attack = ['one', 'two', 'one', 'two'].map((account) => ask(newTerm('bad'), account));
      await within(ms, []);
      const victim = [ask(newTerm(), 'victim'), ask(newTerm(), 'victim'), ask(newTerm(), forDailyRun)];
      expect(allAnswered(await within(4000, victim))).toBe(true);
      await Promise.all(attack);
    }
  },
);

test('an account whose own answered questions fail later closes nothing for accounts with answered questions', async () => {
  const { store, ask, within } = start();
  await within(0, [ask('good before', 'victim')]);
  for (let i = 0; i < 50; i++) await within(0, [ask(`bad answered ${i}`, 'attacker')]);
  store.fault = (term) => (isBad(term) ? failure('blocked') : null);
  for (let i = 0; i < 20; i++) {
    await within(1000, [ask(newTerm('bad'), 'attacker')]);
    expect(await within(1000, [ask(newTerm(), 'victim')])).toEqual([true]);
  }
});

test('on a start without any answer, two accounts together close nothing for a third', async () => {
  const { store, ask, within } = start();
  store.fault = (term) => (isBad(term) ? failure('blocked') : null);
  for (let second = 0; second < 20; second++) {
    const attack = [ask(newTerm('bad'), 'one'), ask(newTerm('bad'), 'two')];
    expect(await within(1000, [ask(newTerm(), 'victim')])).toEqual([true]);
    await within(0, attack);
  }
});

test('a question that has failed while the store answers others is not asked again for a minute', async () => {
  const { store, ask, within } = start();
  store.fault = (term) => (isBad(term) ? failure('blocked') : null);
  await within(0, [ask('good before', 'victim')]);
  await within(1000, [ask('bad', 'attacker')]);
  await within(1000, [ask(newTerm(), 'victim')]);
  const before = store.calls.length;
  for (let i = 0; i < 50; i++) await within(1000, [ask('bad', 'attacker')]);
  expect(store.calls).toHaveLength(before);
  store.fault = () => null;
  expect(await within(10_000, [])).toEqual([]);
  expect(await within(1000, [ask('bad', 'attacker')])).toEqual([true]);
});

test('that minute starts when the question fails, not when the store answers another one', async () => {
  const { store, ask, within, clock } = start();
  store.fault = (term) => (isBad(term) ? failure('blocked') : null);
  await within(0, [ask('good before', 'victim')]);
  await within(10_000, [ask('bad', 'attacker')]);
  await within(0, [ask(newTerm(), 'victim')]);
  store.fault = () => null;
  await clock.advance(49_999);
  expect(await within(0, [ask('bad', 'attacker')])).toEqual([false]);
  await clock.advance(1);
  expect(await within(0, [ask('bad', 'attacker')])).toEqual([true]);
});

test('a question that failed while the store failed for all is asked again as soon as the store answers', async () => {
  const { store, ask, within, clock } = start();
  await within(0, [ask('known 1', 'b'), ask('known 2', 'b')]);
  store.fault = () => failure('blocked');
  await within(0, [ask('term', 'a')]);
  await within(1000, [ask(newTerm(), 'b')]);
  store.fault = () => null;
  await clock.advance(15_000);
  expect(await within(1000, [ask('term', 'a')])).toEqual([true]);
});

/**
 * The most calls to a store that fails for all: five failures, two refusals, or five unreadable answers and a check.
 */
const earlierCalls = { blocked: 2, captcha: 2, error: 5, timeout: 5, unreachable: 5, malformed: 6 } as const;
const failingKinds = Object.keys(earlierCalls) as (keyof typeof earlierCalls)[];

describe.each(failingKinds)('a store that fails for all with %s', (kind) => {
  test.each([
    ['one account', ['a'], true],
    ['one account on a new start', ['a'], false],
    ['many accounts', ['a', 'b', 'c', 'd'], true],
    ['many accounts on a new start', ['a', 'b', 'c', 'd'], false],
    ['the daily run', [forDailyRun], true],
    ['the daily run on a new start', [forDailyRun], false],
  ] as [string, (string | Urgency)[], boolean][])(
    'is left alone after as few calls as before: %s',
    async (_who, callers, hasAnswered) => {
      const { store, ask, within, clock } = start();
      if (hasAnswered)
        for (let i = 0; i < 6; i++)
          await within(
            1000,
            callers.map((each) => ask(newTerm(), each)),
          );
      store.calls.length = 0;
      store.fault = () => failure(kind);
      const askSoon = async (second: number) => {
        void ask(newTerm(), callers[second % callers.length] ?? 'a');
        await clock.advance(1000);
      };
      for (let second = 0; second < 14; second++) await askSoon(second);
      expect(store.calls.length).toBeLessThanOrEqual(earlierCalls[kind]);
      const first = store.calls.length;
      // One probe after 15 s, 30 s and then each minute.
      for (let second = 14; second < 314; second++) await askSoon(second);
      expect(store.calls.length - first).toBeLessThanOrEqual(7);
      store.fault = () => null;
      await within(60_000, []);
      const [caller] = callers;
      expect(caller !== undefined && (await within(1000, [ask(newTerm(), caller)]))).toEqual([true]);
    },
  );

  test('gets as few calls as before from each of three addresses', async () => {
    const { store, ask, within, clock } = start({ addresses: ['direct', 'a', 'b'] });
    for (let i = 0; i < 9; i++) await within(0, [ask(newTerm(), `account ${i % 3}`)]);
    store.calls.length = 0;
    store.fault = () => failure(kind);
    for (let i = 0; i < 14; i++) {
      void ask(newTerm(), `account ${i % 3}`);
      await clock.advance(1000);
    }
    expect(store.calls.length).toBeLessThanOrEqual(3 * earlierCalls[kind]);
  });

  test('gets as few calls as before from two copies together', async () => {
    const { store, ask, within, clock } = start({ copies: 2 });
    for (let i = 0; i < 6; i++) await within(1000, [ask(newTerm(), `account ${i % 3}`, i % 2)]);
    store.calls.length = 0;
    store.fault = () => failure(kind);
    for (let i = 0; i < 12; i++) {
      void ask(newTerm(), `account ${i % 3}`, i % 2);
      await clock.advance(1000);
    }
    expect(store.calls.length).toBeLessThanOrEqual(earlierCalls[kind]);
  });
});

test('whatever one account asks, and whenever, the others are answered', () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          kind: fc.constantFrom('blocked', 'captcha', 'error', 'timeout', 'malformed'),
          term: fc.constantFrom('bad 1', 'bad 2', 'bad 3', 'new'),
          isVictim: fc.boolean(),
          waitMs: fc.constantFrom(0, 300, 5000, 16_000),
        }),
        { maxLength: 25 },
      ),
      async (steps) => {
        const { store, ask, clock } = start();
        let kind: StoreFailureKind = 'blocked';
        store.fault = (term) => (isBad(term) ? failure(kind) : null);
        const victims: Promise<boolean>[] = [];
        for (const step of steps) {
          kind = step.kind as StoreFailureKind;
          if (step.isVictim) victims.push(ask(newTerm(), 'victim'));
          else void ask(step.term === 'new' ? newTerm('bad') : step.term, 'attacker');
          await clock.advance(step.waitMs);
        }
        await clock.advance(40_000);
        expect(allAnswered(await Promise.all(victims))).toBe(true);
      },
    ),
    { numRuns: 60 },
  ));
