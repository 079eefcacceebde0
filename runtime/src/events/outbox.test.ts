import { AppError } from '../errors.ts';
import { maxEventBytes, newEvent } from './outbox.ts';

const context = { at: new Date(0), requestId: 'r' };
const untracked = (accountId: string) =>
  newEvent(
    'tracking.application-untracked.v1',
    '1',
    { account_id: accountId, id: 1, at: context.at },
    context,
  );

test('a change whose event would be too large for the brokers is refused, with the sizes', () => {
  const { payload } = untracked('a'.repeat(maxEventBytes - 100)).stored;
  expect(payload.length).toBeLessThanOrEqual(maxEventBytes);
  expect(() => untracked('a'.repeat(maxEventBytes))).toThrow(AppError);
  expect(() => untracked('a'.repeat(maxEventBytes))).toThrow(
    /its event tracking\.application-untracked\.v1 would have 1000\d+ bytes, more than 1000000/,
  );
});
