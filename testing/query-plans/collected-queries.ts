import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mongo } from 'mongoose';
import { type Query, shapeOf } from './query-shapes.ts';

/** A query that the product sent during the tests of a folder, such as `services/tracking`. */
export type CollectedQuery = { tests: string; query: Query };

const { BSON } = mongo;

/** Those that this process has written. */
const written = new Set<string>();

/** Appends a query to the file of this process in `folder`, once for each shape. */
export function collectQuery(folder: string, { tests, query }: CollectedQuery): void {
  const key = `${tests} ${shapeOf(query)}`;
  if (written.has(key)) return;
  written.add(key);
  // BSON keeps the types of values and the order of a sort.
  const line = Buffer.from(BSON.serialize({ tests, query })).toString('base64');
  appendFileSync(join(folder, String(process.pid)), `${line}\n`);
}

/** The queries of all processes, one of each shape. */
export function readCollectedQueries(folder: string): CollectedQuery[] {
  const lines = readdirSync(folder).flatMap((file) =>
    readFileSync(join(folder, file), 'utf8').trim().split('\n'),
  );
  const collected = lines.map((line) => BSON.deserialize(Buffer.from(line, 'base64')) as CollectedQuery);
  return [...new Map(collected.map((one) => [`${one.tests} ${shapeOf(one.query)}`, one])).values()];
}
