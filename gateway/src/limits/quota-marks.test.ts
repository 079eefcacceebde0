import { createQuotaMarks, type QuotaReport } from './quota-marks.ts';

const at = new Date('2026-06-15T10:00:00Z');
const quota = { accountId: 'ann', month: '2026-06', cap: 1000 };

function start({ fails = false } = {}) {
  const reports: QuotaReport[] = [];
  const failing = { now: fails };
  const marks = createQuotaMarks(async (report) => {
    if (failing.now) throw new Error('away');
    reports.push(report);
  });
  return { marks, reports, failing };
}

test('uses below the next mark are counted together; an unknown account is taken to be below the first', async () => {
  const { marks, reports } = start();
  expect(marks.countedTogether(quota, at)).toBe(49);
  expect(await marks.counted(quota, { spent: 50, reported: 0 }, at)).toBe(5);
  expect(marks.countedTogether(quota, at)).toBe(99);
  expect(await marks.counted(quota, { spent: 799, reported: 75 }, at)).toBeNull();
  expect(marks.countedTogether(quota, at)).toBe(799);
  expect(await marks.counted(quota, { spent: 800, reported: 75 }, at)).toBe(80);
  expect(reports).toEqual([
    { accountId: 'ann', percent: 5, percentBefore: 0, at },
    { accountId: 'ann', percent: 80, percentBefore: 75, at },
  ]);
});

test('after the last mark the quota alone counts; another month or quota begins anew', async () => {
  const { marks } = start();
  await marks.counted(quota, { spent: 1000, reported: 95 }, at);
  expect(marks.countedTogether(quota, at)).toBe(1000);
  expect(marks.countedTogether({ ...quota, month: '2026-07' }, at)).toBe(49);
  expect(marks.countedTogether({ ...quota, cap: 5000 }, at)).toBe(249);
});

test('a quota of fewer than a hundred requests has no marks', async () => {
  const { marks, reports } = start();
  const small = { ...quota, cap: 99 };
  expect(marks.countedTogether(small, at)).toBe(99);
  expect(await marks.counted(small, { spent: 99, reported: 0 }, at)).toBeNull();
  expect(reports).toEqual([]);
});

test('a report that fails is repeated with a use after a minute', async () => {
  const { marks, reports, failing } = start({ fails: true });
  expect(await marks.counted(quota, { spent: 800, reported: 75 }, at)).toBeNull();
  expect(marks.countedTogether(quota, at)).toBe(849);
  failing.now = false;
  const later = new Date(at.getTime() + 60_000);
  expect(marks.countedTogether(quota, later)).toBe(0);
  expect(await marks.counted(quota, { spent: 801, reported: 75 }, later)).toBe(80);
  expect(reports).toHaveLength(1);
  expect(marks.countedTogether(quota, later)).toBe(849);
});

test('after a change to a smaller plan the whole quota is used, not more', async () => {
  const { marks, reports } = start();
  expect(await marks.counted(quota, { spent: 3000, reported: 0 }, at)).toBe(100);
  expect(reports).toMatchObject([{ percent: 100, percentBefore: 0 }]);
  expect(marks.countedTogether(quota, at)).toBe(1000);
});
