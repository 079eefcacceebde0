import { requireFromDriver } from '@shelfwise/runtime/mongo/require-from-driver';
import mongoose, { type mongo } from 'mongoose';
import { type Doc, ObjectId } from '../semantics/bson.ts';
import { isDocument } from '../semantics/values.ts';

/** Longer lists are left to the driver, which makes several commands of the longest. */
const maxOperations = 1000;

/** Inserts, or updates, as one command. */
export type Bulk = { command: Doc; statements: readonly Doc[]; isOrdered: boolean };

/** Undefined: the driver has to write them, because they are of several kinds, or have options that are not known here. */
export function toBulk(collection: string, operations: unknown, isOrdered: boolean): Bulk | undefined {
  if (!Array.isArray(operations) || operations.length === 0 || operations.length > maxOperations)
    return undefined;
  const updates = toAll(operations, toUpdate);
  if (updates)
    return { command: { update: collection, updates, ordered: isOrdered }, statements: updates, isOrdered };
  const documents = toAll(operations, toInserted);
  if (!documents) return undefined;
  // The driver, too, gives the caller's documents their `_id`.
  for (const doc of documents) doc._id ??= new ObjectId();
  return { command: { insert: collection, documents, ordered: isOrdered }, statements: documents, isOrdered };
}

/** Undefined if it is so for one of them. */
function toAll(
  operations: readonly unknown[],
  to: (operation: unknown) => Doc | undefined,
): Doc[] | undefined {
  const statements: Doc[] = [];
  for (const operation of operations) {
    const statement = to(operation);
    if (!statement) return undefined;
    statements.push(statement);
  }
  return statements;
}

const updateFields = new Set(['filter', 'update', 'upsert']);

function toUpdate(operation: unknown): Doc | undefined {
  const isMany = hasOnly(operation, 'updateMany');
  if (!isMany && !hasOnly(operation, 'updateOne')) return undefined;
  const given = isMany ? operation.updateMany : operation.updateOne;
  if (!isDocument(given) || !Object.keys(given).every((field) => updateFields.has(field))) return undefined;
  const { filter, update, upsert } = given;
  if (!isDocument(filter) || !hasOnlyOperators(update)) return undefined;
  const statement: Doc = { q: filter, u: update };
  if (typeof upsert === 'boolean') statement.upsert = upsert;
  if (isMany) statement.multi = true;
  return statement;
}

function toInserted(operation: unknown): Doc | undefined {
  if (!hasOnly(operation, 'insertOne') || !hasOnly(operation.insertOne, 'document')) return undefined;
  const { document } = operation.insertOne;
  return isDocument(document) ? document : undefined;
}

function hasOnly<Name extends string>(value: unknown, name: Name): value is { [name in Name]: unknown } {
  if (!isDocument(value)) return false;
  const names = Object.keys(value);
  return names.length === 1 && names[0] === name;
}

/** The driver refuses others, such as replacements. */
export function hasOnlyOperators(change: unknown): boolean {
  if (!isDocument(change)) return false;
  const names = Object.keys(change);
  return names.length > 0 && names.every((name) => name.startsWith('$'));
}

/** What the driver keeps of a bulk write. */
type Written = {
  ok: number;
  writeErrors: object[];
  writeConcernErrors: [];
  insertedIds: { index: number; _id: unknown }[];
  nInserted: number;
  nUpserted: number;
  nMatched: number;
  nModified: number;
  nRemoved: number;
  upserted: Doc[];
};

const { BulkWriteResult, WriteError } = requireFromDriver('bulk/common') as {
  BulkWriteResult: new (written: Written, isOrdered: boolean) => mongo.BulkWriteResult;
  WriteError: new (error: Doc) => object;
};
const MongoBulkWriteError = mongoose.mongo.MongoBulkWriteError as unknown as new (
  error: { message: unknown; code: unknown; writeErrors: object[] },
  result: mongo.BulkWriteResult,
) => mongo.MongoBulkWriteError;

/** As the driver would read the reply. @throws MongoBulkWriteError when a statement has failed */
export function readBulkReply({ command, statements, isOrdered }: Bulk, reply: Doc): mongo.BulkWriteResult {
  const isInsert = 'insert' in command;
  const count = Number(reply.n);
  const upserted = asList(reply.upserted);
  const failed = asList(reply.writeErrors);
  const writeErrors = failed.map(
    (error) => new WriteError({ ...error, op: statements[Number(error.index)] }),
  );
  const written: Written = {
    ok: 1,
    writeErrors,
    writeConcernErrors: [],
    insertedIds: isInsert ? statements.map(({ _id }, index) => ({ index, _id })) : [],
    nInserted: isInsert ? count : 0,
    nUpserted: upserted.length,
    nMatched: isInsert ? 0 : count - upserted.length,
    nModified: Number(reply.nModified ?? 0),
    nRemoved: 0,
    upserted,
  };
  const result = new BulkWriteResult(written, isOrdered);
  const [first] = failed;
  if (first) throw new MongoBulkWriteError({ message: first.errmsg, code: first.code, writeErrors }, result);
  return result;
}

export function asList(value: unknown): Doc[] {
  return Array.isArray(value) ? value : [];
}
