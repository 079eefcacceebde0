import { testDecider } from '../../test/harness/decider-contract.ts';
import { createAccountWindows } from './account-windows.ts';
import { createInProcessDecider } from './in-process-decider.ts';
import { createReplacedKeys } from './replaced-keys.ts';

testDecider(async (counters) => {
  const monotonicMs = () => 0;
  const replacedKeys = createReplacedKeys();
  const windows = createAccountWindows(monotonicMs);
  return {
    decider: createInProcessDecider({ counters, windows, replacedKeys, monotonicMs }),
    replaceKey: async (accountId, keyVersion) => replacedKeys.add(accountId, keyVersion),
  };
});
