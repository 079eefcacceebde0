import { AppError } from '@shelfwise/runtime/errors';
import { PartState, type PartStatus } from '@shelfwise/runtime/process/status';
import { createStoreState } from './store-state.ts';

const part = (name: string, state: PartState, detail: string): PartStatus => ({
  name,
  state,
  detail,
  is_embedded: false,
});
const isUnknown = { store: 'unknown', blockedSince: null, nextTryAt: null };
const live = part('store source', PartState.OK, 'live: the App Store and Google Play, over 1 address');

/** Answers with these parts, or fails without them. */
function startReading(parts: () => PartStatus[] | null) {
  let atMs = 0;
  let asked = 0;
  const getStatus = async () => {
    asked++;
    const found = parts();
    if (!found) throw new AppError('SERVICE_UNAVAILABLE', 'store-fetch does not answer');
    return { parts: found };
  };
  const read = createStoreState({ getStatus }, () => atMs);
  return {
    read,
    asked: () => asked,
    pass: (ms: number) => {
      atMs += ms;
    },
  };
}

test('a store that cannot be read is named, without the details for operators', async () => {
  const since = new Date('2026-11-28T09:00:00Z');
  const parts = [
    live,
    {
      ...part('App Store', PartState.DEGRADED, 'search blocked 3 s ago over 10.0.0.7'),
      pause: { since, next_try_at: new Date('2026-11-28T09:00:15Z') },
    },
    part('Google Play', PartState.DEGRADED, 'suggestions timeout 3 s ago'),
    part('database', PartState.DEGRADED, 'mongodb://10.0.0.8 is slow'),
  ];
  expect(await startReading(() => parts).read()).toEqual({
    isSample: false,
    troubles: [
      {
        store: 'ITUNES',
        blockedSince: '2026-11-28T09:00:00.000Z',
        nextTryAt: '2026-11-28T09:00:15.000Z',
      },
      { store: 'GPLAY', blockedSince: null, nextTryAt: null },
    ],
  });
});

test('the sample says so', async () => {
  const sample = part('store source', PartState.OK, 'sample: a fictional catalog, no real store is read');
  expect(await startReading(() => [sample]).read()).toEqual({ isSample: true, troubles: [] });
});

test('it is asked every five seconds at most, also while it does not answer; what it said last is kept as known', async () => {
  let isAway = false;
  const { read, asked, pass } = startReading(() => (isAway ? null : [live]));
  await Promise.all([read(), read()]);
  pass(4999);
  await read();
  expect(asked()).toBe(1);
  isAway = true;
  pass(1);
  expect(await read()).toEqual({ isSample: false, troubles: [isUnknown] });
  await read();
  expect(asked()).toBe(2);
});

test('before the first answer nothing is known', async () => {
  expect(await startReading(() => null).read()).toEqual({ isSample: null, troubles: [isUnknown] });
});
