import { shareSampleSource } from '../../../test/share-sample-catalog.ts';
import { urgent } from '../../budget/urgency.ts';

const now = new Date('2026-11-21T15:30:00Z');
const source = shareSampleSource({ now: () => now });
const us = { store: 'ITUNES', country: 'US', lang: 'en-US' } as const;
const options = { signal: new AbortController().signal, urgency: urgent };
const search = (onDay: string | null, from = source) =>
  from.search(us, 'photo editor', { ...options, limit: 100, onDay });

test('a search result has its read time and the source sample', async () => {
  const { apps, ...reading } = await search(null);
  expect(apps).toHaveLength(100);
  expect(reading).toEqual({ readAt: now, source: 'sample', isSuspect: false });
});

test('the page of an earlier day is the page shown on that day, read at noon', async () => {
  const onThatDay = await search(null, shareSampleSource({ now: () => new Date('2026-10-03T23:00:00Z') }));
  const { apps, readAt } = await search('2026-10-03');
  expect(apps).toEqual(onThatDay.apps);
  expect(readAt).toEqual(new Date('2026-10-03T12:00:00Z'));
  expect(apps).not.toEqual((await search(null)).apps);
});

test('a request for today by date returns the current page', async () => {
  expect(await search('2026-11-21')).toEqual(await search(null));
});

test('a future day has no page', async () => {
  await expect(search('2026-11-22')).rejects.toMatchObject({
    code: 'INVALID_PARAMS',
    details: { issues: { fieldErrors: { on_day: ['is after today (2026-11-21, UTC)'] } } },
  });
});

test('a request for another day does not change later answers', async () => {
  const before = await search(null);
  await search('2020-01-01');
  expect(await search(null)).toEqual(before);
  const { readAt } = await source.suggest(us, 'photo', options);
  expect(readAt).toEqual(now);
});

test('a chart of a category that the store does not have is refused, and the message names the field', async () => {
  const wanted = { category: 'FINANCE', collection: 'free', limit: 10 } as const;
  await expect(source.chart(us, wanted, options)).rejects.toMatchObject({
    code: 'INVALID_PARAMS',
    details: { issues: { fieldErrors: { category: [expect.any(String)] } } },
  });
});

test('at midnight the answer belongs to the day of its read time', async () => {
  const midnight = new Date('2026-11-22T00:00:00Z');
  const before = new Date(midnight.getTime() - 1);
  const instants = [before, before, midnight, midnight, midnight];
  const ticking = shareSampleSource({ now: () => instants.shift() ?? midnight });
  const { readAt, apps } = await search(null, ticking);
  const steady = shareSampleSource({ now: () => readAt });
  expect(apps).toEqual((await search(null, steady)).apps);
});
