import type { Connection, mongo } from 'mongoose';

export type Item = { _id: number; email: string; a: number; b: number; version: number; text: string };

/** The collection of the crash test, with two unique indexes. */
export async function createItems(connection: Connection): Promise<mongo.Collection<Item>> {
  const items = connection.getClient().db('crash').collection<Item>('items');
  await items.createIndex({ email: 1 }, { unique: true });
  await items.createIndex({ a: 1, b: 1 }, { unique: true });
  return items;
}
