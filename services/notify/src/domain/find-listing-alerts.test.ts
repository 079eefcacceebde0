import { findListingAlerts } from './find-listing-alerts.ts';
import { changedFields, type KeptListing, nextListing } from './listing-change.ts';
import type { Rule } from './rule.ts';

const app = { id: 1, app_id: '1001', title: 'Planner' };
const kept: KeptListing = {
  id: 1,
  app_id: '1001',
  title: 'Planner',
  subtitle: 'Plan',
  version: '1.0',
  score: 4.6,
  score_day: '2026-03-01',
  chart_id: null,
  revision: 1,
  day: '2026-03-01',
};
const read: KeptListing = { ...kept, score: 4.5, score_day: '2026-03-09', revision: 2, day: '2026-03-09' };
const rule = (kind: Rule['kind'], change: Partial<Rule> = {}): Rule => ({
  id: 1,
  account_id: 'ann',
  kind,
  app_id: null,
  threshold: kind === 'rating_drop' ? 0.1 : null,
  keywords: 'all',
  ...change,
});
const tracker = { account_id: 'ann', app, is_own: true };

test('a change of ratings alone is no change of the listing', () => {
  expect(changedFields(['score', 'ratings'], kept, read)).toEqual([]);
  expect(
    findListingAlerts({ before: kept, after: read, fields: [] }, tracker, [rule('listing_changed')]),
  ).toEqual([]);
});

test('short texts are shown as they were and are, others are named', () => {
  const after = { ...read, title: 'Day Planner', subtitle: 'x'.repeat(201) };
  const fields = changedFields(['title', 'subtitle', 'description'], kept, after);
  expect(fields).toEqual([
    { field: 'title', before: 'Planner', after: 'Day Planner' },
    { field: 'subtitle', before: 'Plan', after: null },
    { field: 'description', before: null, after: null },
  ]);
  expect(changedFields(['title'], null, after)).toEqual([
    { field: 'title', before: null, after: 'Day Planner' },
  ]);
  const [alert] = findListingAlerts({ before: kept, after, fields }, tracker, [rule('listing_changed')]);
  expect(alert).toMatchObject({ day_before: '2026-03-01', day_after: '2026-03-09', other_app: null, fields });
});

test('a rating that falls by the threshold is found with its days, a smaller fall is not', () => {
  const change = { before: kept, after: read, fields: [] };
  expect(findListingAlerts(change, tracker, [rule('rating_drop')])).toMatchObject([
    { before: 4.6, after: 4.5, day_before: '2026-03-01', day_after: '2026-03-09' },
  ]);
  expect(findListingAlerts(change, tracker, [rule('rating_drop', { threshold: 0.2 })])).toEqual([]);
  const rise = { ...change, before: read, after: kept };
  expect(findListingAlerts(rise, tracker, [rule('rating_drop')])).toEqual([]);
});

test('a rating that could not be read is compared with nothing, and the next one with the last that was read', () => {
  const unread = { ...read, score: null, score_day: null };
  expect(
    findListingAlerts({ before: kept, after: unread, fields: [] }, tracker, [rule('rating_drop')]),
  ).toEqual([]);
  expect(nextListing(kept, unread)).toMatchObject({ score: 4.6, score_day: '2026-03-01', revision: 2 });
});

test('a reading that does not say the chart of the app leaves the one that was known', () => {
  const charted = { ...kept, chart_id: 'ITUNES:US:6007:free' };
  expect(nextListing(charted, read)).toMatchObject({ chart_id: 'ITUNES:US:6007:free', score: 4.5 });
  const paid = { ...read, chart_id: 'ITUNES:US:6007:paid' };
  expect(nextListing(charted, paid).chart_id).toBe('ITUNES:US:6007:paid');
});

test('of a competitor, the change of its listing is found under the application, and its rating is not', () => {
  const own = { id: 9, app_id: '1009', title: 'Own' };
  const ofRival = { account_id: 'ann', app: own, is_own: false };
  const fields = changedFields(['version'], kept, { ...read, version: '1.1' });
  const change = { before: kept, after: read, fields };
  const rules = [rule('listing_changed'), rule('rating_drop')];
  expect(findListingAlerts(change, ofRival, rules)).toMatchObject([
    { kind: 'listing_changed', app: own, other_app: { id: 1, app_id: '1001', title: 'Planner' } },
  ]);
  expect(findListingAlerts(change, ofRival, [rule('listing_changed', { app_id: 5 })])).toEqual([]);
});
