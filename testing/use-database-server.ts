import { startDatabaseServer } from './start-database-server.ts';

/**
 * A database server for the tests of one file: call it at the top, after an `afterAll` that still needs it. What it
 * gives back tells the address, from the first test on; each test's databases are for the test to name and drop.
 */
export function useDatabaseServer(): () => string {
  let server: Awaited<ReturnType<typeof startDatabaseServer>> | undefined;
  beforeAll(async () => {
    server = await startDatabaseServer();
  });
  afterAll(() => server?.stop());
  return () => {
    if (!server) throw new Error('the database is started before the first test');
    return server.uri;
  };
}
