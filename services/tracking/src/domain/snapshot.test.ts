import type { FoundApp } from '@shelfwise/proto/store/v1/store';
import { neighborsOf, rankOf, toSnapshot } from './snapshot.ts';

const found = (appId: string, title = appId): FoundApp => ({
  app_id: appId,
  title,
  icon: `https://icons.test/${appId}`,
  developer_name: 'Someone',
  updated_at: null,
});
const reading = { read_at: new Date('2026-05-04T23:59:59Z'), source: 'sample' };

test('a snapshot has the day on which the store was read', () => {
  expect(toSnapshot({ reading, apps: [found('a')] }).snapshot).toEqual({
    day: '2026-05-04',
    taken_at: reading.read_at,
    source: 'sample',
    app_ids: ['a'],
    revision: 1,
  });
});

test('a snapshot has the mark of a suspect storefront only there', () => {
  const marks = [true, false, null].map((isSuspect) => {
    const { snapshot } = toSnapshot({ reading, apps: [found('a')], is_suspect: isSuspect });
    return 'is_suspect' in snapshot && snapshot.is_suspect;
  });
  expect(marks).toEqual([true, false, false]);
});

test('an app that is shown twice has its first rank', () => {
  const { snapshot, apps } = toSnapshot({ reading, apps: [found('a'), found('b'), found('a', 'again')] });
  expect(snapshot.app_ids).toEqual(['a', 'b']);
  expect(apps[0]?.title).toBe('a');
});

test('a snapshot holds at most a hundred apps', () => {
  const apps = Array.from({ length: 120 }, (_, index) => found(`app${index}`));
  expect(toSnapshot({ reading, apps }).snapshot.app_ids).toHaveLength(100);
});

test('an empty page is a valid snapshot', () => {
  expect(toSnapshot({ reading, apps: [] }).snapshot.app_ids).toEqual([]);
});

test.each([null, { read_at: null, source: 'sample' }])(
  'a page without its time is refused: %j',
  (unknown) => {
    expect(() => toSnapshot({ reading: unknown, apps: [found('a')] })).toThrow(/does not say when/);
  },
);

test('a page with a row that names no app is refused, because the ranks below would shift', () => {
  expect(() => toSnapshot({ reading, apps: [found('a'), found(''), found('b')] })).toThrow(
    expect.objectContaining({ code: 'STORE_FETCH_FAILED' }),
  );
});

test('ranks count from one, and an app that is not in the snapshot has none', () => {
  expect(rankOf(['a', 'b'], 'a')).toBe(1);
  expect(rankOf(['a', 'b'], 'b')).toBe(2);
  expect(rankOf(['a', 'b'], 'c')).toBeNull();
  expect(rankOf([], 'a')).toBeNull();
});

test('neighbors are the apps directly above and below; the first and last app have only one', () => {
  const page = ['a', 'b', 'c'];
  expect(neighborsOf(page, 1)).toEqual({ ahead: null, behind: 'b' });
  expect(neighborsOf(page, 2)).toEqual({ ahead: 'a', behind: 'c' });
  expect(neighborsOf(page, 3)).toEqual({ ahead: 'b', behind: null });
  expect(neighborsOf(page, null)).toEqual({ ahead: null, behind: null });
  expect(neighborsOf(['a'], 1)).toEqual({ ahead: null, behind: null });
});
