import { type AuditScore, type KeptAudit, nextAudit } from './audit-change.ts';
import { findAuditAlerts } from './find-audit-alerts.ts';
import type { Rule } from './rule.ts';

const tracker = { account_id: 'ann', app: { id: 1, app_id: '1001', title: 'Planner' } };
const rule: Rule = {
  id: 1,
  account_id: 'ann',
  kind: 'audit_drop',
  app_id: null,
  threshold: 5,
  keywords: 'all',
};
const audit = (day: number, global: number, version = 4): AuditScore => ({
  global,
  scoring_version: version,
  day: `2026-03-${String(day).padStart(2, '0')}`,
});

/** What the rules find in the last of these audits. */
function find(audits: readonly AuditScore[], rules: readonly Rule[] = [rule]) {
  const kept = audits.reduce<KeptAudit | null>(nextAudit, null);
  return (kept ? findAuditAlerts(kept, tracker, rules) : []).map(
    ({ before, after, day_before, day_after }) => [before, after, day_before, day_after],
  );
}

test('a fall by the threshold between two days is found with both, a smaller one or a rise is not', () => {
  expect(find([audit(8, 80), audit(10, 75)])).toEqual([[80, 75, '2026-03-08', '2026-03-10']]);
  expect(find([audit(8, 80), audit(10, 76)])).toEqual([]);
  expect(find([audit(8, 75), audit(10, 80)])).toEqual([]);
  expect(find([audit(8, 80)])).toEqual([]);
});

test('two small falls on one day are compared with the day before', () => {
  expect(find([audit(8, 80), audit(9, 77), audit(9, 74)])).toEqual([[80, 74, '2026-03-08', '2026-03-09']]);
});

test('audits of different scoring versions are never compared, also not across one in between', () => {
  expect(find([audit(8, 80, 3), audit(9, 60, 4)])).toEqual([]);
  expect(find([audit(8, 80, 3), audit(9, 60, 4), audit(9, 50, 4)])).toEqual([]);
  expect(find([audit(8, 80, 4), audit(9, 60, 5), audit(10, 40, 4)])).toEqual([]);
  expect(find([audit(8, 80, 3), audit(9, 60, 4), audit(10, 50, 4)])).toHaveLength(1);
});

test('a rule for another application, or of another kind, finds nothing', () => {
  const audits = [audit(8, 80), audit(9, 60)];
  expect(
    find(audits, [
      { ...rule, app_id: 2 },
      { ...rule, kind: 'rating_drop' },
    ]),
  ).toEqual([]);
});
