import { createSampleSource } from './sample-source.ts';

const now = new Date('2026-11-21T12:00:00Z');
const source = createSampleSource({ now: () => now });
const us = { store: 'ITUNES', country: 'US', lang: 'en-US' } as const;
const { signal } = new AbortController();

test('a search says when it was read and that its apps are sample apps', async () => {
  const { apps, ...reading } = await source.search(us, 'photo editor', { limit: 5, signal });
  expect(apps).toHaveLength(5);
  expect(reading).toEqual({ readAt: now, source: 'sample' });
});

test('a listing is that of the app found', async () => {
  const { apps } = await source.search(us, 'photo editor', { limit: 1, signal });
  const { listing, ...reading } = await source.getListing(us, apps[0]?.appId ?? '', { signal });
  expect(listing).toMatchObject(apps[0] ?? {});
  expect(reading).toEqual({ readAt: now, source: 'sample' });
});

test('an unknown app rejects with APP_NOT_FOUND', async () => {
  await expect(source.getListing(us, '1', { signal })).rejects.toMatchObject({ code: 'APP_NOT_FOUND' });
});

test('a caller that has given up gets STORE_FETCH_FAILED, not an answer', async () => {
  const given = { signal: AbortSignal.abort() };
  await expect(source.search(us, 'weather', { limit: 5, ...given })).rejects.toMatchObject({
    code: 'STORE_FETCH_FAILED',
  });
  await expect(source.getListing(us, '1', given)).rejects.toMatchObject({ code: 'STORE_FETCH_FAILED' });
});

test('at midnight the answer is that of the day that it says it was read on', async () => {
  const midnight = new Date('2026-11-22T00:00:00Z');
  const before = new Date(midnight.getTime() - 1);
  const instants = [before, before, midnight, midnight, midnight];
  const ticking = createSampleSource({ now: () => instants.shift() ?? midnight });
  const { readAt, apps } = await ticking.search(us, 'photo editor', { limit: 100, signal });
  const steady = createSampleSource({ now: () => readAt });
  expect(apps).toEqual((await steady.search(us, 'photo editor', { limit: 100, signal })).apps);
});
