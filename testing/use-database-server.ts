import { type DatabaseServer, shareDatabaseServer } from './start-database-server.ts';

/**
 * A database server for the tests of one file. Call it at the top of the file, but after an `afterAll` that still needs
 * the server. Returns a function that gives the address, from the first test on. Each test names and
 * drops its own databases.
 */
export function useDatabaseServer(): () => string {
  let server: DatabaseServer | undefined;
  beforeAll(async () => {
    server = await shareDatabaseServer();
  });
  afterAll(() => server?.stop());
  return () => {
    if (!server) throw new Error('the database server starts before the first test');
    return server.uri;
  };
}
