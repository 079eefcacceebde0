import { startDatabaseServer } from './start-database-server.ts';

/**
 * Starts a database server for the tests of one file. Call it at the top of the file, but after an `afterAll` that
 * still needs the server. Returns a function that gives the address, from the first test on. Each test names and
 * drops its own databases.
 */
export function useDatabaseServer(): () => string {
  let server: Awaited<ReturnType<typeof startDatabaseServer>> | undefined;
  beforeAll(async () => {
    server = await startDatabaseServer();
  });
  afterAll(() => server?.stop());
  return () => {
    if (!server) throw new Error('the database server starts before the first test');
    return server.uri;
  };
}
