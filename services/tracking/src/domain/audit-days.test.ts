import { type AuditDay, type AuditDays, addAudit, findEarlierAudit, noAudits } from './audit-days.ts';

const auditAt = (time: string, global: number, version = 4): AuditDay => ({
  day: time.slice(0, 10),
  at: new Date(time),
  global,
  scoring_version: version,
});
const monday = auditAt('2026-11-23T06:00:00Z', 50);
const tuesday = auditAt('2026-11-24T06:00:00Z', 60);
const tuesdayNoon = auditAt('2026-11-24T12:00:00Z', 61);
const wednesday = auditAt('2026-11-25T06:00:00Z', 70);

const addAll = (audits: readonly AuditDay[]) =>
  audits.reduce<AuditDays>((kept, audit) => addAudit(kept, audit) ?? kept, noAudits);

function* ordersOf<Item>(items: readonly Item[]): Generator<Item[]> {
  if (items.length === 0) yield [];
  for (const [index, item] of items.entries())
    for (const rest of ordersOf(items.toSpliced(index, 1))) yield [item, ...rest];
}

test('the last audit of each of the two newest days is kept, in whatever order they come', () => {
  for (const order of ordersOf([monday, tuesday, tuesdayNoon, wednesday]))
    expect(addAll(order)).toEqual({ newest: wednesday, day_before: tuesdayNoon });
  for (const order of ordersOf([tuesday, tuesdayNoon]))
    expect(addAll(order)).toEqual({ newest: tuesdayNoon, day_before: null });
});

test('an audit that is known, or older than what is kept, changes nothing', () => {
  const kept = addAll([tuesdayNoon, wednesday]);
  for (const audit of [monday, tuesday, { ...wednesday }]) expect(addAudit(kept, audit)).toBeNull();
});

test('an audit is compared with the last one of an earlier day, and says if that has another version', () => {
  const shown = { computed_at: wednesday.at };
  expect(findEarlierAudit(shown, addAll([tuesday, tuesdayNoon, wednesday]))).toEqual({
    day: '2026-11-24',
    global: 61,
    is_other_version: false,
  });
  const older = auditAt('2026-11-24T06:00:00Z', 0, 3);
  expect(findEarlierAudit(shown, addAll([older, wednesday]))).toEqual({
    day: '2026-11-24',
    global: 0,
    is_other_version: true,
  });
});

test('without an earlier day, or with scores that leave words out, there is nothing to compare with', () => {
  expect(findEarlierAudit({ computed_at: tuesdayNoon.at }, addAll([tuesday, tuesdayNoon]))).toBeNull();
  expect(
    findEarlierAudit({ computed_at: new Date('2026-11-25T09:00:00Z') }, addAll([tuesday, wednesday])),
  ).toBeNull();
  expect(findEarlierAudit({ computed_at: tuesday.at }, noAudits)).toBeNull();
});
