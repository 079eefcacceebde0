import { createAccounts as openAccounts } from '@shelfwise/gateway/accounts/accounts';
import { builtInPlans } from '@shelfwise/gateway/plans/plans';
import { gatewayDatabase } from '@shelfwise/gateway/schema';
import { createLogger } from '@shelfwise/runtime/logger';
import { connectMongo } from '@shelfwise/runtime/mongo/connect-mongo';

/** Creates accounts in the database of the gateways, and returns their keys. */
export async function createAccounts(uri: string, count: number): Promise<string[]> {
  const logger = createLogger({ name: 'accounts', level: 'error', destination: process.stderr });
  const connection = await connectMongo({ uri, database: gatewayDatabase, logger });
  const accounts = openAccounts({
    connection,
    plans: builtInPlans,
    logger,
    isOnlyWriter: false,
    now: () => new Date(),
    monotonicMs: () => performance.now(),
    onKeyReplaced: async () => {},
  });
  try {
    const keys: string[] = [];
    for (let index = 0; index < count; index++) {
      const account = { email: `load-${index}-${Date.now()}@example.com`, plan: 'unlimited' };
      keys.push((await accounts.create(account)).key);
    }
    return keys;
  } finally {
    await connection.close();
  }
}
