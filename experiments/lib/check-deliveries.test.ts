import type { Receipt } from './alert-receivers.ts';
import { areAllDelivered, checkDeliveries } from './check-deliveries.ts';

const receipt = (id: string, ...alertIds: number[]): Receipt => ({
  to: '/all/1',
  id,
  arrivedAt: 0,
  mode: 'ok',
  events: alertIds.map((alertId) => ({ id: alertId, at: 0, subject: `alert ${alertId}` })),
});
const expected = new Map([['/all/1', new Set(['alert 1', 'alert 2', 'alert 3'])]]);

test('each alert once, in order, also over repeated tries, is all delivered', () => {
  const counts = checkDeliveries([receipt('a', 1), receipt('a', 1), receipt('b', 2, 3)], expected);
  expect(counts).toMatchObject({ expected: 3, tries: 3, repeated: 1 });
  expect(areAllDelivered(counts)).toBe(true);
});

test.each([
  ['a lost alert', [receipt('a', 1), receipt('b', 3)], { lost: 1 }],
  ['an alert without a cause', [receipt('a', 1, 2, 3, 4)], { invented: 1 }],
  ['an alert under two ids', [receipt('a', 1), receipt('b', 1, 2, 3)], { underTwoIds: 1 }],
  ['a message before an earlier one', [receipt('a', 2, 3), receipt('b', 1)], { outOfOrder: 1 }],
  [
    'a message that comes again with more',
    [receipt('a', 1), receipt('a', 1, 2), receipt('b', 2, 3)],
    { changed: 1 },
  ],
  ['a receiver that got nothing', [], { lost: 3 }],
  ['a receiver that answers 500', [{ ...receipt('a', 1, 2, 3), mode: 'error' as const }], { lost: 3 }],
])('%s is not', (_name, receipts, wrong) => {
  const counts = checkDeliveries(receipts, expected);
  expect(counts).toMatchObject(wrong);
  expect(areAllDelivered(counts)).toBe(false);
});

test('nothing expected proves nothing', () => {
  expect(areAllDelivered(checkDeliveries([], new Map()))).toBe(false);
});
