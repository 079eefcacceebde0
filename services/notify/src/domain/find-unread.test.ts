import type { Store } from '@shelfwise/facts/stores/store';
import { findUnread, type ReadKeyword } from './find-unread.ts';
import type { Rule } from './rule.ts';

const rule: Rule = {
  id: 1,
  account_id: 'ann',
  kind: 'keyword_unread',
  app_id: null,
  threshold: 2,
  keywords: 'all',
};
const keyword: ReadKeyword = {
  keyword_id: 7,
  listing_id: 1,
  is_favorite: false,
  at: new Date('2026-03-01T08:00:00Z'),
  read_day: '2026-03-08',
};
const storeOf = new Map<number, Store>([
  [1, 'ITUNES'],
  [2, 'GPLAY'],
]);

function find(
  keywords: readonly ReadKeyword[],
  day: string,
  { of = rule, since }: { of?: Rule; since?: string | null } = {},
) {
  const readableSince = new Map<Store, string | null>(since === undefined ? [] : [['ITUNES', since]]);
  return [...findUnread(keywords, of, { day, storeOf, readableSince })];
}

test('a keyword is unread after two whole days without a reading', () => {
  expect(find([keyword], '2026-03-10')).toEqual([]);
  expect(find([keyword], '2026-03-11')).toEqual([[1, { count: 1, since: '2026-03-08' }]]);
});

test('the keywords of an application are counted together, with the first day of all', () => {
  const keywords = [
    keyword,
    { ...keyword, keyword_id: 8, read_day: '2026-03-06' },
    { ...keyword, keyword_id: 9, read_day: '2026-03-11' },
    { ...keyword, listing_id: 2, read_day: null },
    { ...keyword, listing_id: 3 },
  ];
  expect(find(keywords, '2026-03-11')).toEqual([
    [1, { count: 2, since: '2026-03-06' }],
    [2, { count: 1, since: null }],
  ]);
});

test('days before it was tracked, and days on which the store was away, do not count', () => {
  const fresh = { ...keyword, at: new Date('2026-03-10T23:00:00Z'), read_day: null };
  expect(find([fresh], '2026-03-12')).toEqual([]);
  expect(find([fresh], '2026-03-13')).toHaveLength(1);
  expect(find([keyword], '2026-03-20', { since: null })).toEqual([]);
  expect(find([keyword], '2026-03-20', { since: '2026-03-18' })).toEqual([]);
  expect(find([keyword], '2026-03-21', { since: '2026-03-18' })).toHaveLength(1);
});

test('a rule looks at its application and keywords only', () => {
  expect(find([keyword], '2026-03-20', { of: { ...rule, app_id: 2 } })).toEqual([]);
  expect(find([keyword], '2026-03-20', { of: { ...rule, keywords: 'favorites' } })).toEqual([]);
  expect(find([keyword], '2026-03-20', { of: { ...rule, keywords: [7] } })).toHaveLength(1);
});
