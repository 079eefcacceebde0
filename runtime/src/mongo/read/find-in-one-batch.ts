import type { Schema } from 'mongoose';

/** The batch size of a query that streams, for its `cursor`: about 1 MB of rows of 2 KB. */
export const streamedBatch = { batchSize: 500 } as const;

/** For a find without a limit. The server ends a batch earlier when it holds 16 MB. */
export const unlimitedBatchSize = 10_000;

/**
 * A plugin of every connection: a find returns all its rows in one round trip. With the driver's default of 101 rows, a
 * larger result takes several and keeps a cursor open on the server. The extra row closes the cursor of a full result.
 * A query that streams sets `streamedBatch`.
 */
export function findInOneBatch(schema: Schema): void {
  schema.pre('find', function () {
    const { batchSize, limit } = this.getOptions();
    if (batchSize === undefined) this.batchSize(limit ? limit + 1 : unlimitedBatchSize);
  });
}
