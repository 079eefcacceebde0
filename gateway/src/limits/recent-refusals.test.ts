import { createRecentRefusals } from './recent-refusals.ts';

const refusal = { outcome: 'rate-limited', limit: 5, retryAfterMs: 400 } as const;
const caller = { accountId: 'a', keyVersion: 1 };

function create() {
  const clock = { ms: 1000 };
  return { clock, refusals: createRecentRefusals(() => clock.ms) };
}

test('a refusal is known until the window has room, counted from before the decision', () => {
  const { clock, refusals } = create();
  expect(refusals.find(caller)).toBeNull();
  refusals.add(caller, refusal, 990);
  expect(refusals.find(caller)).toEqual({ ...refusal, retryAfterMs: 390 });
  clock.ms = 1389;
  expect(refusals.find(caller)).toEqual({ ...refusal, retryAfterMs: 1 });
  clock.ms = 1390;
  expect(refusals.find(caller)).toBeNull();
});

test('nothing is known of another account, and of another key of the account', () => {
  const { refusals } = create();
  refusals.add(caller, refusal, 1000);
  expect(refusals.find({ ...caller, accountId: 'b' })).toBeNull();
  expect(refusals.find({ ...caller, keyVersion: 2 })).toBeNull();
});

test('of too many accounts the oldest refusals are forgotten', () => {
  const { refusals } = create();
  for (let account = 0; account <= 10_000; account++)
    refusals.add({ accountId: `a${account}`, keyVersion: 1 }, refusal, 1000);
  expect(refusals.find({ accountId: 'a0', keyVersion: 1 })).toBeNull();
  expect(refusals.find({ accountId: 'a1', keyVersion: 1 })).not.toBeNull();
});
