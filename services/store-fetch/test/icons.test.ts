import { callWithin } from '../../../testing/call-within.ts';
import { until } from '../../../testing/until.ts';
import { urgent } from '../src/budget/urgency.ts';
import { createReadIcon, maxIconKiB } from '../src/icons/read-icons.ts';
import { rememberIcons } from '../src/icons/remember-icons.ts';
import { createIconAddressStore } from '../src/stores/icon-address-store.ts';
import { imageAnswers, png, useImageServer } from './image-server.ts';
import { createScriptedSource } from './scripted-source.ts';
import { shareSampleSource } from './share-sample-catalog.ts';
import { requests, useService } from './use-service.ts';

/** Of a caller that stays. */
const stays = () => new AbortController().signal;
const server = useImageServer();
const { connect, openLiveSource } = useService();
const minuteMs = 60_000;
const us = { store: 'ITUNES', country: 'US', lang: 'en-US' } as const;
const play = { ...us, store: 'GPLAY' } as const;

function create({ timeoutMs = 60_000, baseUrls = [server.url] } = {}) {
  let at = Date.parse('2026-03-10T09:00:00Z');
  const finds: string[] = [];
  const outcomes: string[] = [];
  const icon = createReadIcon({
    icons: {
      find: async (store, appId) => {
        finds.push(`${store} ${appId}`);
        return appId === 'unknown' ? null : `${server.url}/icons/${appId}.png`;
      },
    },
    baseUrls,
    timeoutMs,
    now: () => new Date(at),
    onIcon: (store, outcome) => outcomes.push(`${store} ${outcome}`),
  });
  return {
    finds,
    outcomes,
    read: (appId = '1', signal = stays()) => icon('ITUNES', appId, signal),
    pass: (ms: number) => {
      at += ms;
    },
  };
}

const failed = { code: 'STORE_FETCH_FAILED' };

test('an icon is read once a day, and its type is that of its bytes', async () => {
  const { read, pass } = create();
  expect(await read()).toEqual({ image: png, type: 'image/png' });
  await read();
  expect(server.calls).toEqual(['/icons/1.png']);
  pass(24 * 60 * minuteMs);
  await read();
  expect(server.calls).toHaveLength(2);
});

test('readers at the same time share one call', async () => {
  const { read } = create();
  await Promise.all(Array.from({ length: 20 }, () => read()));
  expect(server.calls).toHaveLength(1);
});

test('each request is counted by how it ended, but not that of a reader who leaves', async () => {
  const { read, outcomes } = create();
  await read();
  await read();
  await expect(read('unknown')).rejects.toThrow();
  server.answer = 'slow';
  const leaver = new AbortController();
  const left = read('2', leaver.signal);
  await until(() => server.calls.length === 2);
  leaver.abort(new Error('left'));
  await expect(left).rejects.toThrow('left');
  server.answer = 'refused';
  await expect(read('3')).rejects.toThrow();
  await expect(read('3')).rejects.toThrow();
  expect(outcomes).toEqual(['read', 'kept', 'unknown', 'failed', 'failed'].map((one) => `ITUNES ${one}`));
});

test('an app of which no icon is known is NOT_FOUND, without a call', async () => {
  await expect(create().read('unknown')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(server.calls).toEqual([]);
});

test('an address that is not of the configured store or its image server is never called', async () => {
  const { read } = create({ baseUrls: ['https://itunes.apple.com'] });
  await expect(read()).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(server.calls).toEqual([]);
});

test(`an image of ${maxIconKiB} KiB is passed on`, async () => {
  server.answer = 'full';
  expect((await create().read()).image).toHaveLength(maxIconKiB * 1024);
});

const badAnswers = (Object.keys(imageAnswers) as (keyof typeof imageAnswers)[]).filter(
  (name) => !['ok', 'full', 'slow'].includes(name),
);

test.each(badAnswers)('%s is no icon, and is not asked for again for five minutes', async (answer) => {
  server.answer = answer;
  const { read, pass } = create();
  for (let look = 0; look < 3; look++) await expect(read()).rejects.toMatchObject(failed);
  expect(server.calls).toEqual(['/icons/1.png']);
  server.answer = 'ok';
  pass(10 * minuteMs);
  expect(await read()).toMatchObject({ type: 'image/png' });
});

test('a server that does not answer is left in time, and a reader who leaves is not remembered', async () => {
  server.answer = 'slow';
  const { read } = create({ timeoutMs: 100 });
  await expect(read()).rejects.toMatchObject({ ...failed, message: expect.stringContaining('100 ms') });
  const leaver = new AbortController();
  const patient = create();
  const left = patient.read('1', leaver.signal);
  await until(() => server.calls.length === 2);
  leaver.abort(new Error('left'));
  await expect(left).rejects.toThrow('left');
  server.answer = 'ok';
  expect(await patient.read()).toMatchObject({ type: 'image/png' });
});

test('a server that refuses is not called for ten minutes, for no app', async () => {
  server.answer = 'refused';
  const { read, pass } = create();
  await expect(read()).rejects.toMatchObject(failed);
  server.answer = 'ok';
  await expect(read('2')).rejects.toMatchObject(failed);
  expect(server.calls).toHaveLength(1);
  pass(10 * minuteMs);
  expect(await read('2')).toMatchObject({ type: 'image/png' });
});

describe('the addresses', () => {
  const at = new Date('2026-03-10T09:00:00Z');

  function remember() {
    const clock = { now: at };
    const saved: { store: string; icons: readonly { appId: string; address: string }[] }[] = [];
    const failing = { is: false };
    const { source, answers } = createScriptedSource(() => clock.now);
    answers.rows = 3;
    const reads = rememberIcons(source, {
      icons: {
        save: async (store, icons) => {
          saved.push({ store, icons });
          if (failing.is) throw new Error('no database');
        },
      },
      now: () => clock.now,
    });
    const options = { signal: stays(), urgency: urgent };
    return {
      saved,
      failing,
      clock,
      answers,
      search: () => reads.search(us, 'habit', { ...options, limit: 10, onDay: null }),
      chart: () => reads.chart(play, { category: 'OVERALL', collection: 'free', limit: 2 }, options),
      listing: () => reads.getListing(us, '1001', { ...options, withSubtitle: false }),
      listings: () =>
        reads.getListings(us, ['7', '8'], { ...options, withSubtitle: false, freshSince: null }),
    };
  }

  test('all answers with icons are kept, each address once a week', async () => {
    const { search, chart, listing, listings, saved, clock, answers } = remember();
    answers.listing = (appId) =>
      appId === '8'
        ? new Error('gone')
        : ({ app_id: appId, icon: `https://example.com/${appId}.png` } as never);
    const row = (id: number) => ({ appId: `${1000 + id}`, address: `https://example.com/${id}.png` });
    await search();
    await search();
    await chart();
    await listing();
    await listings();
    expect(saved).toEqual([
      { store: 'ITUNES', icons: [row(0), row(1), row(2)] },
      { store: 'GPLAY', icons: [row(0), row(1)] },
      { store: 'ITUNES', icons: [{ appId: '1001', address: 'https://example.com/1001.png' }] },
      { store: 'ITUNES', icons: [{ appId: '7', address: 'https://example.com/7.png' }] },
    ]);
    clock.now = new Date(at.getTime() + 8 * 24 * 60 * minuteMs);
    await listings();
    expect(saved).toHaveLength(5);
  });

  test('no read fails with the database, and the next answer writes again', async () => {
    const { search, saved, failing } = remember();
    failing.is = true;
    expect((await search()).apps).toHaveLength(3);
    failing.is = false;
    await until(async () => {
      await search();
      return saved.length === 2;
    });
  });

  test('a missing, or endless address is not kept', async () => {
    const { listing, saved, answers } = remember();
    for (const icon of [null, `https://example.com/${'a'.repeat(500)}`]) {
      answers.listing = () => ({ app_id: '1', icon }) as never;
      await listing();
    }
    expect(saved).toEqual([]);
  });

  test('are stored by store and app, and deleted when they were not shown for long', async () => {
    const { connection } = await connect(shareSampleSource({ now: () => at }));
    const icons = createIconAddressStore(connection);
    await icons.save('ITUNES', [{ appId: '1', address: 'https://example.com/a' }], at);
    await icons.save('ITUNES', [{ appId: '1', address: 'https://example.com/b' }], at);
    expect(await icons.find('ITUNES', '1')).toBe('https://example.com/b');
    expect(await icons.find('GPLAY', '1')).toBeNull();
    expect(await icons.deleteBefore(at)).toBe(0);
    expect(await icons.deleteBefore(new Date(at.getTime() + 1))).toBe(1);
    expect(await icons.find('ITUNES', '1')).toBeNull();
  });
});

test('the sample draws an icon for each of its apps, and for no other', async () => {
  const { client } = await connect(shareSampleSource({ now: () => new Date('2026-03-10T09:00:00Z') }));
  const { apps } = await client.searchApps({ ...requests.searchApps, limit: 2 }, callWithin());
  const images = await Promise.all(
    apps.map(({ app_id }) => client.getIcon({ store: 'ITUNES', app_id }, callWithin())),
  );
  expect(images.map((icon) => icon.content_type)).toEqual(['image/png', 'image/png']);
  expect(images[0]?.image).not.toEqual(images[1]?.image);
  await expect(client.getIcon({ store: 'ITUNES', app_id: '1' }, callWithin())).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
});

test('the request names a store and an app, never an address', async () => {
  const { client } = await connect(shareSampleSource({ now: () => new Date() }));
  await expect(
    client.getIcon({ store: 'ITUNES', app_id: `${server.url}/icons/1.png` }, callWithin()),
  ).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(server.calls).toEqual([]);
});

test('a live source reads the icons at the addresses of its answers, without its budgets', async () => {
  const { source } = await openLiveSource(server.url);
  const { client, connection } = await connect(source);
  const icons = createIconAddressStore(connection);
  await icons.save('ITUNES', [{ appId: '7', address: `${server.url}/icons/7.png` }], new Date());
  const reply = await client.getIcon({ store: 'ITUNES', app_id: '7' }, callWithin());
  expect(reply).toEqual({ image: png, content_type: 'image/png' });
  expect(server.calls).toEqual(['/icons/7.png']);
  expect(await connection.collection('buckets').countDocuments()).toBe(0);
});
