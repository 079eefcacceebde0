import type { Alert } from './alert.ts';
import { alertText } from './alert-text.ts';

const drop: Alert = {
  account_id: 'ann',
  rule_id: 1,
  kind: 'rank_drop',
  threshold: 5,
  app: { id: 1, app_id: '1001', title: 'Planner' },
  keyword: { id: 7, text: 'day planner' },
  before: 3,
  after: 40,
  day_before: '2026-03-08',
  day_after: '2026-03-10',
  ranks: [],
  other_app: null,
  fields: [],
  is_confirmed: null,
  store: null,
  unread_keywords: null,
  channel: null,
  chart: null,
};
const days = 'between 2026-03-08 and 2026-03-10';

test.each<[Partial<Alert>, string]>([
  [{}, `Planner fell for “day planner”: from rank 3 to rank 40 ${days}.`],
  [
    { after: null, is_confirmed: false },
    `Planner fell for “day planner”: from rank 3 to not ranked ${days}; read once only.`,
  ],
  [
    { after: 60, is_confirmed: true },
    `Planner fell for “day planner”: from rank 3 to rank 60 ${days}; read twice.`,
  ],
  [
    { kind: 'entered_top', threshold: 10, before: null, after: 4 },
    `Planner entered the top 10 for “day planner”: from not ranked to rank 4 ${days}.`,
  ],
  [
    { kind: 'overtaken', other_app: { id: 2, app_id: '1002', title: null } },
    `1002 overtook Planner for “day planner”: Planner moved from rank 3 to rank 40 ${days}.`,
  ],
  [
    {
      kind: 'listing_changed',
      day_before: null,
      fields: [
        { field: 'title', before: null, after: 'New' },
        { field: 'unlisted_since', before: null, after: null },
      ],
    },
    'The listing of Planner changed by 2026-03-10: title, whether the store lists it.',
  ],
  [
    { kind: 'quota_used', app: null, keyword: null, before: null, after: 80, day_before: null },
    '80 % of the API requests of 2026-03 are used.',
  ],
  [
    { kind: 'keyword_unread', keyword: null, unread_keywords: 3 },
    '3 keywords of Planner have not been read since 2026-03-08.',
  ],
  [
    { kind: 'keyword_unread', keyword: null, unread_keywords: 1, day_before: null },
    '1 keyword of Planner has not been read.',
  ],
  [
    { kind: 'store_blocked', app: null, store: 'ITUNES' },
    'The App Store cannot be read since 2026-03-08: ranks and listings of these days are missing, not lost.',
  ],
  [
    { kind: 'store_recovered', app: null, store: 'GPLAY' },
    'Google Play can be read again: it was away from 2026-03-08 to 2026-03-10.',
  ],
  [
    {
      kind: 'chart_entered',
      keyword: null,
      before: null,
      after: 34,
      chart: { store: 'ITUNES', country: 'US', category: '6007', collection: 'free', depth: 100 },
    },
    `Planner entered the top 100 of the chart Productivity (free, US): from not ranked to rank 34 ${days}.`,
  ],
  [
    {
      kind: 'chart_left',
      keyword: null,
      before: 9,
      after: 12,
      chart: { store: 'GPLAY', country: 'DE', category: 'OVERALL', collection: 'paid', depth: 10 },
    },
    `Planner left the top 10 of the chart Overall (paid, DE): from rank 9 to rank 12 ${days}.`,
  ],
  [{ kind: 'audit_drop', before: 80, after: 74 }, `The ASO Health of Planner fell from 80 to 74 ${days}.`],
  [{ kind: 'rating_drop', before: 4.6, after: 4.5 }, `The rating of Planner fell from 4.6 to 4.5 ${days}.`],
  [
    {
      kind: 'channel_off',
      app: null,
      keyword: null,
      day_before: '2026-03-05',
      channel: { id: 3, name: 'Team', reason: 'no_success' },
    },
    'The channel “Team” is off: nothing was delivered since 2026-03-05.',
  ],
  [
    { kind: 'channel_off', app: null, keyword: null, channel: { id: 3, name: 'Team', reason: 'gone' } },
    'The channel “Team” is off: its receiver says that it is gone.',
  ],
])('%j is one sentence', (change, text) => {
  expect(alertText({ ...drop, ...change })).toBe(text);
});

test('ratings of many digits are rounded in the sentence', () => {
  const change: Partial<Alert> = { kind: 'rating_drop', before: 4.73154, after: 4.6 };
  expect(alertText({ ...drop, ...change })).toContain('from 4.73 to 4.6 ');
});
