import type { Accounts } from '@shelfwise/gateway/accounts/accounts';
import { type Api, createApi } from '../../testing/system/api.ts';

/** A key may make 5 calls per second. With this many keys, sequential calls rarely hit the limit. */
const callerCount = 12;

/** Creates accounts without limits, and an API client and a key for each. */
export async function createCallers(
  accounts: Accounts,
  url: string,
): Promise<{ apis: Api[]; keys: string[]; accountIds: string[] }> {
  const accountIds: string[] = [];
  const apis: Api[] = [];
  const keys: string[] = [];
  for (let index = 0; index < callerCount; index++) {
    const account = { email: `times-${index}@example.com`, plan: 'unlimited' };
    const { id, key } = await accounts.create(account);
    accountIds.push(id);
    keys.push(key);
    apis.push(createApi(url, key));
  }
  return { apis, keys, accountIds };
}
