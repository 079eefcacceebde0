import { createRequire } from 'node:module';
import mongoose from 'mongoose';
import { isDatabaseFailure, isDatabaseUnavailable } from './database-errors.ts';

const { mongo } = mongoose;

// The driver throws these, but does not export them.
const { PoolClearedOnNetworkError, WaitQueueTimeoutError } = createRequire(__filename)(
  'mongodb/lib/cmap/errors.js',
);
const pool = { address: 'db:27017', serverError: new Error('closed') };

test.each([
  new PoolClearedOnNetworkError(pool),
  new WaitQueueTimeoutError('no connection', 'db:27017'),
  new mongo.MongoNetworkError('reset'),
  new mongo.MongoServerSelectionError('none', {} as never),
])('%p means that the database cannot be reached', (error) => {
  expect([isDatabaseFailure(error), isDatabaseUnavailable(error)]).toEqual([true, true]);
});

test('a refused command is a failure of a database that can be reached', () => {
  const error = new mongo.MongoServerError({ message: 'bad command', code: 2 });
  expect([isDatabaseFailure(error), isDatabaseUnavailable(error)]).toEqual([true, false]);
});

test('a bug is no failure of the database', () => {
  expect(isDatabaseFailure(new TypeError('undefined'))).toBe(false);
});
