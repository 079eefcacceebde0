import fc from 'fast-check';
import { createAccountWindows } from './account-windows.ts';
import { keyWindows } from './sliding-windows.ts';

function create() {
  const clock = { ms: 0 };
  const windows = createAccountWindows(keyWindows, () => clock.ms);
  return { clock, windows, admit: (accountId = 'a', atMs = clock.ms) => windows.admit(accountId, atMs) };
}

test('accounts do not use up each other’s windows', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.integer({ min: 0, max: 4 }), fc.constantFrom(0, 0, 0, 1, 200, 1000)), {
        maxLength: 200,
      }),
      (calls) => {
        const { clock, admit } = create();
        const admitted = new Map<number, number[]>();
        for (const [account, pauseMs] of calls) {
          clock.ms += pauseMs;
          const times = admitted.get(account) ?? [];
          const hasRoom =
            times.filter((time) => time > clock.ms - 1000).length < 5 &&
            times.filter((time) => time > clock.ms - 60_000).length < 59;
          expect(admit(`account-${account}`) === null).toBe(hasRoom);
          if (hasRoom) admitted.set(account, [...times, clock.ms]);
        }
      },
    ),
    { numRuns: 100 },
  );
});

test('a call that was sent earlier leaves the window earlier', () => {
  const { clock, admit } = create();
  clock.ms = 40;
  for (let call = 0; call < 5; call++) expect(admit('a', 0)).toBeNull();
  expect(admit()).toEqual({ outcome: 'rate-limited', limit: 5, retryAfterMs: 960 });
  clock.ms = 1000;
  expect(admit()).toBeNull();
});

test('accounts idle for a minute take no memory', () => {
  const { clock, windows, admit } = create();
  for (let account = 0; account < 1000; account++) admit(`account-${account}`);
  expect(windows.count()).toBe(1000);
  clock.ms += 59_999;
  admit('late');
  clock.ms += 1;
  expect(windows.count()).toBe(1);
});
