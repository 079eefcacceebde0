import type { Model, mongo } from 'mongoose';
import { unlimitedBatchSize } from './find-in-one-batch.ts';
import { createFieldReader, type Fields, type FieldsOf } from './read-fields.ts';

export type FindFieldsOptions<Document> = Pick<
  mongo.FindOptions,
  'sort' | 'skip' | 'limit' | 'batchSize' | 'projection'
> & {
  /** The fields to read, and how. */
  fields: FieldsOf<Document>;
};

/**
 * Finds documents for long lists: only the given fields are decoded, straight from the reply. The query is not cast, and
 * no plugin applies. The database sends whole documents unless there is a projection, which costs the embedded database
 * more than it saves when few bytes are left out.
 * @throws TypeError while the documents are read, when a field holds a value of another kind
 */
export async function* streamFields<Document extends object>(
  model: Pick<Model<unknown>, 'collection'>,
  filter: object,
  options: FindFieldsOptions<Document>,
): AsyncGenerator<Document> {
  for await (const document of await openCursor<Document>(model, filter, options)) yield document;
}

/** All documents of `streamFields`, in one round trip. */
export async function findFields<Document extends object>(
  model: Pick<Model<unknown>, 'collection'>,
  filter: object,
  options: FindFieldsOptions<Document>,
): Promise<Document[]> {
  return (await openCursor<Document>(model, filter, options)).toArray();
}

async function openCursor<Document extends object>(
  { collection }: Pick<Model<unknown>, 'collection'>,
  filter: object,
  { fields, ...options }: FindFieldsOptions<Document>,
) {
  const { limit } = options;
  const batchSize = limit ? limit + 1 : unlimitedBatchSize;
  const read = createFieldReader(fields as Fields);
  // The documents of a batch are parts of one reply.
  let reply: Buffer = Buffer.alloc(0);
  // Mongoose returns a promise of the cursor while it is not connected; its types do not say so.
  const cursor = await collection.find(filter, { batchSize, ...options, raw: true });
  return cursor.map((row) => {
    const { buffer, byteOffset } = row as unknown as Uint8Array;
    if (reply.buffer !== buffer) reply = Buffer.from(buffer);
    return read(reply, byteOffset) as Document;
  });
}
