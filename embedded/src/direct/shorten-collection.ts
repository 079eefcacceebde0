import mongoose, { type mongo } from 'mongoose';
import { type Doc, ObjectId } from '../semantics/bson.ts';
import { isDocument } from '../semantics/values.ts';
import { asList, hasOnlyOperators, readBulkReply, toBulk } from './bulk-write.ts';
import { createLazyCursor } from './create-lazy-cursor.ts';
import { type CommandRunner, CommandTooLarge } from './run-commands.ts';

type Method = (...args: unknown[]) => unknown;
/** Undefined: the driver has to run the method. */
type Own = (...args: unknown[]) => Promise<unknown> | undefined;

/**
 * Replaces the most used methods of the driver's collection: the same command runs without the driver, which costs
 * several times as much as the engine. The driver's own methods run for unusual arguments, and while the client is not
 * connected.
 */
export function shortenCollection(collection: mongo.Collection, { isOpen, run }: CommandRunner): void {
  const { collectionName: name, dbName: db } = collection;
  const methods = collection as unknown as Record<string, Method>;
  const { MongoServerError } = mongoose.mongo;

  function replace(method: string, own: Own): void {
    const ofDriver = bind(method);
    methods[method] = async (...args) => {
      const done = isOpen() ? own(...args) : undefined;
      return (
        done?.catch((error) => {
          // The driver makes several commands of it, or refuses it.
          if (error instanceof CommandTooLarge) return ofDriver(...args);
          throw error;
        }) ?? ofDriver(...args)
      );
    };
  }

  function bind(method: string): Method {
    return methods[method]?.bind(collection) as Method;
  }

  async function write(command: Doc): Promise<Doc> {
    const reply = await run(db, command);
    const [error] = asList(reply.writeErrors);
    if (error) throw new MongoServerError(error);
    return reply;
  }

  async function readAll(command: Doc, raw: boolean): Promise<Doc[]> {
    const { batchSize } = command;
    let reply = await run(db, command, raw);
    const docs = firstBatch(reply);
    for (let id = cursorId(reply); id !== 0; id = cursorId(reply)) {
      // 0 means the default.
      reply = await run(db, { getMore: id, collection: name, batchSize: batchSize ?? 0 }, raw);
      docs.push(...asList((reply.cursor as Doc).nextBatch));
    }
    return docs;
  }

  const find = bind('find') as (...args: unknown[]) => mongo.FindCursor;
  methods.find = (filter = {}, options = {}) =>
    createLazyCursor(
      () => find(filter, options),
      () => {
        const command = toFind(name, filter, options);
        return command && isOpen() ? readAll(command, isRaw(options)) : undefined;
      },
    );

  replace('findOne', (filter = {}, options = {}) => {
    const command = toFind(name, filter, options);
    return (
      command &&
      run(db, { ...command, limit: 1, singleBatch: true }, isRaw(options)).then(
        (reply) => firstBatch(reply)[0] ?? null,
      )
    );
  });

  replace('countDocuments', (filter = {}, options = {}) => {
    const given = readOptions(options, ['comment']);
    if (!given || !isDocument(filter)) return undefined;
    const pipeline = [{ $match: filter }, { $group: { _id: 1, n: { $sum: 1 } } }];
    return run(db, { aggregate: name, pipeline, cursor: {}, ...given }).then(
      (reply) => firstBatch(reply)[0]?.n ?? 0,
    );
  });

  replace('insertOne', (doc, options = {}) => {
    const given = readOptions(options, ['comment']);
    if (!given || !isDocument(doc)) return undefined;
    // The driver, too, gives the caller's document its `_id`.
    doc._id ??= new ObjectId();
    return write({ insert: name, documents: [doc], ordered: true, ...given }).then(() => ({
      acknowledged: true,
      insertedId: doc._id,
    }));
  });

  function update(multi: boolean): Own {
    return (filter, change, options = {}) => {
      const given = readOptions(options, ['upsert', 'comment']);
      if (!given || !isDocument(filter) || !hasOnlyOperators(change)) return undefined;
      const { upsert = false, ...others } = given;
      const statement = { q: filter, u: change, multi, upsert };
      return write({ update: name, updates: [statement], ordered: true, ...others }).then(toUpdateResult);
    };
  }
  replace('updateOne', update(false));
  replace('updateMany', update(true));

  function remove(limit: 0 | 1): Own {
    return (filter = {}, options = {}) => {
      const given = readOptions(options, ['comment']);
      if (!given || !isDocument(filter)) return undefined;
      const deletes = [{ q: filter, limit }];
      return write({ delete: name, deletes, ordered: true, ...given }).then(({ n }) => ({
        acknowledged: true,
        deletedCount: n,
      }));
    };
  }
  replace('deleteOne', remove(1));
  replace('deleteMany', remove(0));

  replace('findOneAndUpdate', (filter, update, options = {}) => {
    const given = readOptions(options, [
      'sort',
      'upsert',
      'returnDocument',
      'includeResultMetadata',
      'comment',
    ]);
    if (!given || !isDocument(filter) || !hasOnlyOperators(update)) return undefined;
    const { returnDocument, includeResultMetadata, ...others } = given;
    if (others.sort !== undefined && !isPlainSort(others.sort)) return undefined;
    const command = {
      findAndModify: name,
      query: filter,
      update,
      new: returnDocument === 'after',
      ...others,
    };
    return run(db, command).then((reply) => (includeResultMetadata ? reply : (reply.value ?? null)));
  });

  /** Undefined: the driver has to write them. */
  function writeBulk(operations: unknown, options: unknown): Promise<mongo.BulkWriteResult> | undefined {
    const given = readOptions(options, ['ordered', 'comment']);
    if (!given) return undefined;
    const { ordered = true, ...others } = given;
    const bulk = toBulk(name, operations, ordered !== false);
    return bulk && run(db, { ...bulk.command, ...others }).then((reply) => readBulkReply(bulk, reply));
  }
  replace('bulkWrite', (operations, options = {}) => writeBulk(operations, options));
  replace('insertMany', (documents, options = {}) => {
    const operations = Array.isArray(documents)
      ? documents.map((document) => ({ insertOne: { document } }))
      : undefined;
    return writeBulk(operations, options)?.then(({ insertedCount, insertedIds }) => ({
      acknowledged: true,
      insertedCount,
      insertedIds,
    }));
  });
}

const findOptions = ['projection', 'sort', 'skip', 'limit', 'batchSize', 'comment'];

function toFind(name: string, filter: unknown, options: unknown): Doc | undefined {
  const read = readOptions(options, [...findOptions, 'raw']);
  if (!read || !isDocument(filter)) return undefined;
  const { raw: _, ...given } = read;
  const { sort, projection, skip = 0, limit = 0, batchSize = 1 } = given;
  if (sort !== undefined && !isPlainSort(sort)) return undefined;
  if (projection !== undefined && !isDocument(projection)) return undefined;
  if (![skip, limit, batchSize].every(isCount) || (batchSize === limit && 'batchSize' in given))
    return undefined;
  return { find: name, filter, ...given };
}

/** The options that have a value, or undefined if one of them is not among `names`. */
function readOptions(options: unknown, names: readonly string[]): Doc | undefined {
  if (!isDocument(options)) return undefined;
  const given = Object.entries(options).filter(([, value]) => value !== undefined && value !== null);
  return given.every(([option]) => names.includes(option)) ? Object.fromEntries(given) : undefined;
}

function isRaw(options: unknown): boolean {
  return isDocument(options) && options.raw === true;
}

/** The driver also reads other forms. */
function isPlainSort(sort: unknown): boolean {
  if (!isDocument(sort)) return false;
  const orders = Object.values(sort);
  return orders.length > 0 && orders.every((order) => order === 1 || order === -1);
}

function isCount(value: unknown): boolean {
  return typeof value === 'number' && value >= 0;
}

function firstBatch({ cursor }: Doc): Doc[] {
  return asList((cursor as Doc).firstBatch);
}

function cursorId({ cursor }: Doc): number {
  return Number((cursor as Doc).id);
}

function toUpdateResult({ n, nModified, upserted }: Doc): Doc {
  const [inserted] = asList(upserted);
  return {
    acknowledged: true,
    modifiedCount: nModified,
    upsertedId: inserted?._id ?? null,
    upsertedCount: inserted ? 1 : 0,
    matchedCount: inserted ? 0 : n,
  };
}
