import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Connection } from 'mongoose';
import { until } from './until.ts';

/** More turns of the event loop than code takes between two commands. */
const calmTurns = 20;

/**
 * Returns a function that waits until the code of this process has nothing more to do with the database than to wait for
 * a timer: no command of this connection, which is monitored, is on its way, and none follows.
 */
export function createUntilQuiet(connection: Connection): () => Promise<void> {
  let underWay = 0;
  const ended = () => underWay--;
  connection
    .getClient()
    .on('commandStarted', () => underWay++)
    .on('commandSucceeded', ended)
    .on('commandFailed', ended);
  return async () => {
    for (let calm = 0; calm < calmTurns; calm++) {
      await nextTurn();
      if (underWay === 0) continue;
      calm = 0;
      await until(() => underWay === 0);
    }
  };
}
