import type { GetChartReply } from '@shelfwise/proto/store/v1/store';
import { fillRatings, hasRatings, toChartSnapshot } from './chart-snapshot.ts';

const readAt = new Date('2026-03-10T23:59:59Z');
const reading = { read_at: readAt, source: 'app-store' };
const app = (appId: string, score?: number): GetChartReply['apps'][number] => ({
  app_id: appId,
  title: `Title of ${appId}`,
  icon: '',
  developer_name: 'Dev',
  score,
});
const snapshotOf = (...apps: ReturnType<typeof app>[]) => toChartSnapshot({ reading, apps });

test('a snapshot belongs to the UTC day of its read', () => {
  expect(snapshotOf(app('1'))).toMatchObject({ day: '2026-03-10', read_at: readAt, source: 'app-store' });
});

test('a field that the store does not show is null', () => {
  expect(snapshotOf(app('1')).rows).toEqual([
    { title: 'Title of 1', icon: '', developer: 'Dev', rating: null, price: null, currency: null },
  ]);
});

test('a snapshot has at most 200 rows', () => {
  const snapshot = snapshotOf(...Array.from({ length: 250 }, (_, index) => app(String(index))));
  expect([snapshot.app_ids.length, snapshot.rows.length]).toEqual([200, 200]);
});

test('ratings are missing when no app has one; an empty chart has no missing ratings', () => {
  expect(hasRatings(snapshotOf(app('1'), app('2')))).toBe(false);
  expect(hasRatings(snapshotOf(app('1'), app('2', 4)))).toBe(true);
  expect(hasRatings(snapshotOf())).toBe(true);
});

test('ratings of a later read are assigned by app, not by rank', () => {
  const rows = fillRatings(
    snapshotOf(app('1'), app('2'), app('3')),
    snapshotOf(app('3', 3), app('1', 1), app('4', 4)),
  );
  expect(rows.map(({ title, rating }) => [title, rating])).toEqual([
    ['Title of 1', 1],
    ['Title of 2', null],
    ['Title of 3', 3],
  ]);
});
