import { type Doc, toBsonEach } from '../semantics/bson.ts';
import { checkPath } from '../semantics/check-filter.ts';
import { badValue, CommandError, unsupported } from '../semantics/command-error.ts';
import type { Collection } from '../storage/collection.ts';
import { type IndexKey, type IndexMeta, isPrimary } from '../storage/collection-meta.ts';
import { type Command, refuseUnknown } from './command.ts';
import { readDocument, readDocuments, readFlag, readString } from './read-option.ts';

/**
 * A field takes up to 223 bytes of an index key, and more if it contains zero bytes. Index keys are limited to 1,900
 * bytes, including the `_id` of the document.
 */
const maxFields = 6;
/** Per collection. */
const maxIndexes = 64;
/** `v` (the format version) and `background` have no effect. */
const indexOptions = new Set(['key', 'name', 'unique', 'sparse', 'v', 'background']);

export const createIndexes: Command = {
  isWrite: true,
  buildsIndexes: true,
  options: ['indexes'],
  run(request, { db, catalog }) {
    const collection = catalog.findOrCreate(db, readString(request, 'createIndexes'));
    const numIndexesBefore = collection.meta.indexes.length;
    for (const spec of readDocuments(request, 'indexes', maxIndexes)) {
      const requested = readIndexSpec(spec);
      const existing = collection.meta.indexes.find(
        ({ name, key }) => name === requested.name || isSameKey(key, requested.key),
      );
      if (existing) checkIdentical(existing, requested);
      else {
        if (collection.meta.indexes.length >= maxIndexes) {
          throw new CommandError(
            67,
            'CannotCreateIndex',
            `a collection can have at most ${maxIndexes} indexes`,
          );
        }
        collection.addIndex({ id: catalog.nextId(), ...requested, multikey: false, truncated: false });
      }
    }
    return { numIndexesBefore, numIndexesAfter: collection.meta.indexes.length };
  },
};

type IndexSpec = Pick<IndexMeta, 'name' | 'key' | 'unique' | 'sparse'>;

function readIndexSpec(spec: Doc): IndexSpec {
  refuseUnknown('an index', spec, indexOptions);
  const key: IndexKey = {};
  for (const [path, order] of Object.entries(readDocument(spec, 'key'))) {
    if (order !== 1 && order !== -1) throw unsupported(`the index type ${JSON.stringify({ [path]: order })}`);
    checkPath(path);
    key[path] = order;
  }
  const fields = Object.keys(key).length;
  if (fields === 0) throw new CommandError(67, 'CannotCreateIndex', 'an index needs at least one field');
  if (fields > maxFields) throw unsupported(`an index over more than ${maxFields} fields`);
  return {
    name: readString(spec, 'name'),
    key,
    unique: readFlag(spec, 'unique'),
    sparse: readFlag(spec, 'sparse'),
  };
}

function isSameKey(left: IndexKey, right: IndexKey): boolean {
  return JSON.stringify(Object.entries(left)) === JSON.stringify(Object.entries(right));
}

/**
 * Creating an existing index again does nothing. Refuses an index that shares the name or the key of an existing one
 * but differs in something else.
 */
function checkIdentical(existing: IndexMeta, requested: IndexSpec): void {
  if (isPrimary(existing) && isSameKey(existing.key, requested.key)) return;
  const hasSameKey = isSameKey(existing.key, requested.key);
  const hasSameOptions = existing.unique === requested.unique && existing.sparse === requested.sparse;
  if (existing.name === requested.name && hasSameKey && hasSameOptions) return;
  const message = `an index '${existing.name}' already exists with another name, key or options`;
  if (existing.name === requested.name) throw new CommandError(86, 'IndexKeySpecsConflict', message);
  throw new CommandError(85, 'IndexOptionsConflict', message);
}

export const listIndexes: Command = {
  isWrite: false,
  options: ['cursor'],
  run(request, { db, catalog, cursors, connection }) {
    const name = readString(request, 'listIndexes');
    const collection = catalog.find(db, name);
    if (!collection) throw createNamespaceNotFoundError(`${db}.${name}`);
    const docs = collection.meta.indexes.map((index) => describeIndex(index));
    return cursors.open({
      namespace: `${db}.${name}`,
      docs: toBsonEach(docs),
      connection,
      batchSize: docs.length,
    });
  },
};

type IndexDescription = { v: 2; key: IndexKey; name: string; unique?: true; sparse?: true };

function describeIndex(index: IndexMeta): IndexDescription {
  const { name, key, unique, sparse } = index;
  const description: IndexDescription = { v: 2, key, name };
  if (unique && !isPrimary(index)) description.unique = unique;
  if (sparse) description.sparse = sparse;
  return description;
}

export const dropIndexes: Command = {
  isWrite: true,
  options: ['index'],
  run(request, { db, catalog, cursors }) {
    const name = readString(request, 'dropIndexes');
    const collection = catalog.find(db, name);
    if (!collection) throw createNamespaceNotFoundError(`${db}.${name}`);
    const nIndexesWas = collection.meta.indexes.length;
    // A cursor that reads a dropped index would end early.
    cursors.closeForNamespace(`${db}.${name}`);
    for (const index of findIndexesToDrop(collection, request.index)) {
      if (isPrimary(index)) throw new CommandError(72, 'InvalidOptions', 'cannot drop _id index');
      collection.dropIndex(index.name);
    }
    return { nIndexesWas };
  },
};

/** Accepts a name, a list of names, or `*` for all indexes except the primary one. */
function findIndexesToDrop({ meta }: Collection, requested: unknown): IndexMeta[] {
  if (requested === '*') return meta.indexes.filter((index) => !isPrimary(index));
  const names = Array.isArray(requested) ? requested : [requested];
  return names.map((name) => {
    if (typeof name !== 'string') throw badValue('an index must be dropped by its name');
    const index = meta.indexes.find((candidate) => candidate.name === name);
    if (!index) throw new CommandError(27, 'IndexNotFound', `index not found with name [${name}]`);
    return index;
  });
}

export function createNamespaceNotFoundError(namespace: string): CommandError {
  return new CommandError(26, 'NamespaceNotFound', `ns does not exist: ${namespace}`);
}
