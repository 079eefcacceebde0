import type { Connection } from 'mongoose';
import { databaseStatus } from './database-status.ts';

/** A database that answers the pings when the test says so, and a clock that only the test moves. */
function createDatabase() {
  const pings: { answer(): void; refuse(): void }[] = [];
  const command = () =>
    new Promise<object>((resolve, reject) =>
      pings.push({ answer: () => resolve({}), refuse: () => reject(new Error('connect 10.0.0.7:27017')) }),
    );
  let nowMs = 1000;
  const status = databaseStatus({ db: { command } } as unknown as Pick<Connection, 'db'>, false, {
    monotonicMs: () => nowMs,
    sleep: async (ms) => {
      await Promise.resolve();
      await Promise.resolve();
      await Promise.resolve();
      nowMs += ms;
    },
  });
  /** The state of a check after which `passMs` pass. */
  const check = async (react: () => void = () => {}, passMs = 0) => {
    const checked = status();
    react();
    const { state, detail } = await checked;
    nowMs += passMs;
    return [state, detail];
  };
  return { pings, check };
}

const down = ['DOWN', 'the database does not answer'];

test('a database that answers is ok', async () => {
  const { pings, check } = createDatabase();
  expect(await check(() => pings[0]?.answer())).toEqual(['OK', 'answers']);
});

test('one that refuses is down at once, without its address, until it answers again', async () => {
  const { pings, check } = createDatabase();
  expect(await check(() => pings[0]?.refuse())).toEqual(down);
  // The next ping is on its way: the driver may look for a server for seconds.
  expect(await check()).toEqual(down);
  expect(await check(() => pings[1]?.answer())).toEqual(['OK', 'answers']);
});

test('a slow one is degraded, and down when it has been silent for five seconds, with one ping all the time', async () => {
  const { pings, check } = createDatabase();
  expect(await check(undefined, 2000)).toEqual(['DEGRADED', 'no answer for 500 ms']);
  expect(await check(undefined, 1500)).toEqual(['DEGRADED', 'no answer for 3000 ms']);
  expect(await check()).toEqual(down);
  expect(pings).toHaveLength(1);
  expect(await check(() => pings[0]?.answer())).toEqual(['OK', 'answers']);
  expect(await check()).toEqual(['DEGRADED', 'no answer for 500 ms']);
});
