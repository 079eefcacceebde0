import { countries } from '@shelfwise/facts/stores/country';
import type { Store } from '@shelfwise/facts/stores/store';
import { appStoreStorefrontId } from '@shelfwise/facts/stores/storefront-ids';
import { createLogger } from '@shelfwise/runtime/log/logger';
import { callWithin } from '../../../testing/call-within.ts';
import { runAutocomplete } from '../src/handlers/run-autocomplete.ts';
import { createScriptedSource } from './scripted-source.ts';
import { shareSampleSource } from './share-sample-catalog.ts';
import { useFakeStore } from './use-fake-store.ts';
import { storefront, useService } from './use-service.ts';

const now = () => new Date('2026-11-21T12:00:00Z');
const { connect, openLiveSource } = useService();
const ann = { account_id: 'ann', page: 1, per_page: 50 };
const query = (prefix: string, store: Store = 'ITUNES', country = 'US', lang = 'en-US') => ({
  account_id: 'ann',
  storefront: storefront(store, country, lang),
  prefix,
});

describe('with the sample', () => {
  const start = () => connect(shareSampleSource({ now }), { now });

  test.each([
    ['ITUNES', 'US', 'en-US', 'pho', 10],
    ['GPLAY', 'US', 'en-US', 'pho', 5],
    ['ITUNES', 'DE', 'de-DE', 'foto', 10],
    ['ITUNES', 'JP', 'ja-JP', '写真', 10],
  ] as const)('%s in %s has the most searched terms first', async (store, country, lang, prefix, most) => {
    const { client } = await start();
    const reply = await client.runAutocomplete(query(prefix, store, country, lang), callWithin());
    expect(reply).toMatchObject({ normalized_prefix: prefix, is_saved: true });
    expect(reply.suggestions.length).toBeGreaterThan(2);
    expect(reply.suggestions.length).toBeLessThanOrEqual(most);
    expect(reply.suggestions.every((term) => term.startsWith(prefix))).toBe(true);
    const where = storefront(store, country, lang);
    const request = { storefront: where, prefix, for_daily_run: false, is_thorough: false };
    const { suggestions } = await client.suggestTerms(request, callWithin());
    expect(reply.suggestions).toEqual(suggestions?.terms);
  });

  test('two spellings of a prefix are one query', async () => {
    const { client } = await start();
    const plain = await client.runAutocomplete(query('photo ed'), callWithin());
    expect(plain.normalized_prefix).toBe('photo ed');
    expect(await client.runAutocomplete(query('  ＰＨＯＴＯ   Ed '), callWithin())).toEqual(plain);
    expect((await client.listAutocompletes(ann, callWithin())).total).toBe(1);
  });

  test('a prefix without suggestions has an empty list, which is saved too', async () => {
    const { client } = await start();
    const reply = await client.runAutocomplete(query('zzqxjv'), callWithin());
    expect(reply).toEqual({ normalized_prefix: 'zzqxjv', suggestions: [], is_saved: true });
    const { queries } = await client.listAutocompletes(ann, callWithin());
    expect(queries).toMatchObject([{ prefix: 'zzqxjv', suggestion_count: 0 }]);
  });
});

describe('with live stores', () => {
  const fake = useFakeStore();

  /** Starts the service with an empty cache and closed breakers. */
  async function start() {
    const { source, checks } = await openLiveSource(fake.url);
    return connect(source, { checks });
  }

  test.each(['ITUNES', 'GPLAY'] as const)(
    '%s is called once for the same query of two accounts',
    async (store) => {
      const { client } = await start();
      const reply = await client.runAutocomplete(query('no', store), callWithin());
      expect(reply).toMatchObject({ normalized_prefix: 'no', is_saved: true });
      expect(reply.suggestions.length).toBeGreaterThan(0);
      const before = fake.calls().length;
      const again = await client.runAutocomplete({ ...query('no', store), account_id: 'bob' }, callWithin());
      expect(again).toEqual(reply);
      expect(fake.calls()).toHaveLength(before);
    },
  );

  test('an empty list is returned when another prefix has suggestions', async () => {
    const { client } = await start();
    const reply = await client.runAutocomplete(query('zzqxjv'), callWithin());
    expect(reply).toEqual({ normalized_prefix: 'zzqxjv', suggestions: [], is_saved: true });
  });

  test('a store that throttles is an error that says to wait and try again, also while the breaker is open', async () => {
    const { client } = await start();
    fake.setFault('empty-hints');
    for (const prefix of ['no', 'ca']) {
      await expect(client.runAutocomplete(query(prefix), callWithin())).rejects.toMatchObject({
        code: 'STORE_FETCH_FAILED',
        message: expect.stringMatching(
          /^The App Store gives no suggestions at the moment.* Wait a minute and try again/,
        ),
      });
    }
    expect((await client.listAutocompletes(ann, callWithin())).total).toBe(0);
  });

  const unsupported = [...countries.ITUNES].find((country) => appStoreStorefrontId(country) === null) ?? '';
  test.each([
    [
      'an App Store without a known storefront number',
      query('no', 'ITUNES', unsupported),
      `The App Store of ${unsupported} `,
    ],
    ['Google Play for quotation marks', query('"\\"', 'GPLAY'), 'Google Play '],
  ])('%s is not called, and the error says that trying again does not help', async (_, request, subject) => {
    const { client } = await start();
    const before = fake.calls().length;
    await expect(client.runAutocomplete(request, callWithin())).rejects.toMatchObject({
      code: 'STORE_FETCH_FAILED',
      message: expect.stringMatching(new RegExp(`^${subject}.*Trying again does not change that`)),
    });
    expect(fake.calls()).toHaveLength(before);
  });

  test.each(['ITUNES', 'GPLAY'] as const)(
    '%s that blocks, fails, sends another page or closes the connection is STORE_FETCH_FAILED, and nothing is saved',
    async (store) => {
      for (const fault of ['blocked', 'captcha', 'error', 'garbage', 'wrong-shape', 'reset'] as const) {
        // Google Play's suggestions have no id that could be missing.
        if (store === 'GPLAY' && fault === 'wrong-shape') continue;
        const { client } = await start();
        fake.setFault(fault);
        const requested = client.runAutocomplete(query('no', store), callWithin());
        await expect(requested).rejects.toMatchObject({ code: 'STORE_FETCH_FAILED' });
        expect((await client.listAutocompletes(ann, callWithin())).total).toBe(0);
      }
    },
    30_000,
  );
});

describe('without the database', () => {
  test('suggestions and all reads work, the query is not saved, and the history is SERVICE_UNAVAILABLE', async () => {
    const { client, connection, status } = await connect(shareSampleSource({ now }), {
      now,
      hasOwnDatabase: true,
    });
    await connection.close();
    const reply = await client.runAutocomplete(query('pho'), callWithin());
    expect(reply).toMatchObject({ normalized_prefix: 'pho', is_saved: false });
    expect(reply.suggestions).toHaveLength(10);
    const request = { storefront: storefront(), term: 'photo', limit: 10, for_daily_run: false };
    expect((await client.searchApps(request, callWithin())).apps).toHaveLength(10);
    await expect(client.listAutocompletes(ann, callWithin())).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
    const { parts } = await status.getStatus({}, callWithin());
    expect(parts).toMatchObject([{ name: 'database', state: 'DOWN' }]);
  });

  test('a database that never answers is awaited for at most five seconds, and the log says why', async () => {
    jest.useFakeTimers({ doNotFake: ['queueMicrotask', 'nextTick'], now: now() });
    try {
      const handled = handle({ save: () => new Promise(() => {}) });
      await jest.advanceTimersByTimeAsync(5000);
      await expect(handled.reply).resolves.toMatchObject({ suggestions: ['habit tracker'], is_saved: false });
      expect(handled.lines.join()).toContain('the database does not answer');
    } finally {
      jest.useRealTimers();
    }
  });

  test('near the deadline the answer still arrives before it', async () => {
    jest.useFakeTimers({ doNotFake: ['queueMicrotask', 'nextTick'], now: now() });
    try {
      const handled = handle({ save: () => new Promise(() => {}) }, 2_100);
      await jest.advanceTimersByTimeAsync(1_600);
      await expect(handled.reply).resolves.toMatchObject({ is_saved: false });
    } finally {
      jest.useRealTimers();
    }
  });
});

test('the query is an urgent call, which looks at an empty list several times', async () => {
  const { source, options } = createScriptedSource(now);
  const { client } = await connect(source, { now });
  await client.runAutocomplete(query('hab'), callWithin());
  expect(options.map(({ urgency }) => urgency?.isUrgent())).toEqual([true]);
  expect(options).toMatchObject([{ isThorough: true }]);
});

test('a database with the history of the sample accepts no queries of a live store', async () => {
  const sample = await connect(shareSampleSource({ now }), { now });
  await sample.client.runAutocomplete(query('pho'), callWithin());
  const live = await connect(createScriptedSource(now).source, { now });
  const reply = await live.client.runAutocomplete(query('hab'), callWithin());
  expect(reply).toMatchObject({ suggestions: ['habit tracker'], is_saved: false });
  expect((await live.client.listAutocompletes(ann, callWithin())).total).toBe(1);
});

/** The handler alone, with a given history. */
function handle(autocompletes: { save(): Promise<void> }, leftMs = 35_000) {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const reply = runAutocomplete(
    { source: createScriptedSource(now).source, sourceGuard: { admit: async () => {} }, autocompletes, now },
    query('hab'),
    {
      requestId: 'test',
      deadline: callWithin(leftMs).deadline,
      signal: new AbortController().signal,
      log: createLogger({ name: 'test', level: 'error', destination }),
    },
  );
  return { reply, lines };
}
