import { buildAuditInput, searched } from '../../test/build-audit-input.ts';
import { auditListing } from '../domain/audit/audit-listing.ts';
import { createRepeatedAudits } from './repeated-audits.ts';

const monday = new Date('2026-03-09T08:00:00Z');
const later = new Date('2026-03-09T09:00:00Z');
const texts = { title: 'Habit Tracker', subtitle: 'Daily planner', description: null, kw_field: null };

function build({ now = monday, traffic = 40, subtitle = texts.subtitle } = {}) {
  const input = buildAuditInput('ITUNES', { texts: { ...texts, subtitle } });
  return { ...input, now, terms: new Map([['habit tracker', searched(traffic, 40)]]) };
}

test('the same input is audited once, and its report has the time of the call', () => {
  let made = 0;
  const audit = createRepeatedAudits((input) => {
    made++;
    return auditListing(input);
  });
  expect(audit(build())).toEqual(auditListing(build()));
  expect(audit(build({ now: later }))).toEqual(auditListing(build({ now: later })));
  expect(made).toBe(1);
});

test.each([
  ['another text', { subtitle: 'Weekly planner' }],
  ['another score of a term', { traffic: 41 }],
])('%s is audited again', (_, change) => {
  const audit = createRepeatedAudits();
  audit(build());
  expect(audit(build(change))).toEqual(auditListing(build(change)));
});
