import { testDecider } from '../../test/harness/decider-contract.ts';
import { createAccountWindows } from './account-windows.ts';
import { createInProcessDecider } from './in-process-decider.ts';
import { createReplacedKeys } from './replaced-keys.ts';
import { keyWindows, sessionWindows } from './sliding-windows.ts';

describe.each([
  { of: 'keys', sizes: keyWindows, burst: 5 as const },
  { of: 'sessions', sizes: sessionWindows, burst: 10 as const },
])('the windows of $of', ({ sizes, burst }) => {
  testDecider(async (counters) => {
    const monotonicMs = () => 0;
    const replacedKeys = createReplacedKeys();
    const windows = createAccountWindows(sizes, monotonicMs);
    return {
      decider: createInProcessDecider({ counters, windows, replacedKeys, monotonicMs }),
      replaceKey: async (accountId, keyVersion) => replacedKeys.add(accountId, keyVersion),
    };
  }, burst);
});
