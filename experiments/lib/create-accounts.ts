import { createAccounts as openAccounts } from '@shelfwise/gateway/accounts/accounts';
import { builtInPlans } from '@shelfwise/gateway/plans/plans';
import { gatewayDatabase } from '@shelfwise/gateway/schema';
import { createLogger } from '@shelfwise/runtime/log/logger';
import { connectMongo } from '@shelfwise/runtime/mongo/connect-mongo';
import { databaseName } from '@shelfwise/runtime/mongo/database-settings';

/** Creates accounts in the database of the gateways. @param prefix MONGODB_PREFIX */
export async function createAccounts(
  uri: string,
  count: number,
  prefix = '',
): Promise<{ id: string; key: string }[]> {
  const logger = createLogger({ name: 'accounts', level: 'error', destination: process.stderr });
  const connection = await connectMongo({ uri, database: databaseName(prefix, gatewayDatabase), logger });
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
    const created: { id: string; key: string }[] = [];
    for (let index = 0; index < count; index++) {
      const account = { email: `load-${index}-${Date.now()}@example.com`, plan: 'unlimited' };
      created.push(await accounts.create(account));
    }
    return created;
  } finally {
    await connection.close();
  }
}
