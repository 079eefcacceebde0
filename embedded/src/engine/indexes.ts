import type { Doc } from '../bson.ts';
import { checkPath } from '../semantics/check-filter.ts';
import { badValue, CommandError, unsupported } from '../semantics/command-error.ts';
import type { Collection } from '../storage/collection.ts';
import { type IndexKey, type IndexMeta, isPrimary } from '../storage/collection-meta.ts';
import { type Command, refuseUnknown } from './command.ts';
import { readDocument, readDocuments, readFlag, readString } from './read-option.ts';

/** Each field takes up to 220 bytes of a key, which ends at 1,900. */
const maxFields = 6;
const maxIndexes = 64;
const indexOptions = new Set(['key', 'name', 'unique', 'sparse', 'v', 'background']);

export const createIndexes: Command = {
  writes: true,
  makesIndexes: true,
  options: ['indexes'],
  run(request, { db, catalog }) {
    const collection = catalog.findOrCreate(db, readString(request, 'createIndexes'));
    const numIndexesBefore = collection.meta.indexes.length;
    for (const spec of readDocuments(request, 'indexes', maxIndexes)) {
      const wanted = readIndex(spec);
      const known = collection.meta.indexes.find(
        ({ name, key }) => name === wanted.name || sameKey(key, wanted.key),
      );
      if (known) checkIdentical(known, wanted);
      else {
        if (collection.meta.indexes.length >= maxIndexes) {
          throw new CommandError(67, 'CannotCreateIndex', `a collection has at most ${maxIndexes} indexes`);
        }
        collection.addIndex({ id: catalog.nextId(), ...wanted, multikey: false, cut: false });
      }
    }
    return { numIndexesBefore, numIndexesAfter: collection.meta.indexes.length };
  },
};

type IndexSpec = Pick<IndexMeta, 'name' | 'key' | 'unique' | 'sparse'>;

function readIndex(spec: Doc): IndexSpec {
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

function sameKey(left: IndexKey, right: IndexKey): boolean {
  return JSON.stringify(Object.entries(left)) === JSON.stringify(Object.entries(right));
}

function checkIdentical(known: IndexMeta, wanted: IndexSpec): void {
  if (isPrimary(known) && sameKey(known.key, wanted.key)) return;
  const sameFields = sameKey(known.key, wanted.key);
  const sameOptions = known.unique === wanted.unique && known.sparse === wanted.sparse;
  if (known.name === wanted.name && sameFields && sameOptions) return;
  const message = `an index '${known.name}' exists already with another name, key or options`;
  if (known.name === wanted.name) throw new CommandError(86, 'IndexKeySpecsConflict', message);
  throw new CommandError(85, 'IndexOptionsConflict', message);
}

export const listIndexes: Command = {
  writes: false,
  options: ['cursor'],
  run(request, { db, catalog, cursors, client }) {
    const name = readString(request, 'listIndexes');
    const collection = catalog.find(db, name);
    if (!collection) throw namespaceNotFound(`${db}.${name}`);
    const docs = collection.meta.indexes.map((index) => describe(index));
    return cursors.start({ namespace: `${db}.${name}`, docs, client, batchSize: docs.length });
  },
};

function describe(index: IndexMeta): Doc {
  const { name, key, unique, sparse } = index;
  return { v: 2, key, name, ...(unique && !isPrimary(index) && { unique }), ...(sparse && { sparse }) };
}

export const dropIndexes: Command = {
  writes: true,
  options: ['index'],
  run(request, { db, catalog, cursors }) {
    const name = readString(request, 'dropIndexes');
    const collection = catalog.find(db, name);
    if (!collection) throw namespaceNotFound(`${db}.${name}`);
    const nIndexesWas = collection.meta.indexes.length;
    // A cursor on a dropped index would end early.
    cursors.closeOn(`${db}.${name}`);
    for (const index of unwantedIndexes(collection, request.index)) {
      if (isPrimary(index)) throw new CommandError(72, 'InvalidOptions', 'cannot drop _id index');
      collection.dropIndex(index.name);
    }
    return { nIndexesWas };
  },
};

/** By name, by a list of names, or `*` for all but the primary one. */
function unwantedIndexes({ meta }: Collection, wanted: unknown): IndexMeta[] {
  if (wanted === '*') return meta.indexes.filter((index) => !isPrimary(index));
  const names = Array.isArray(wanted) ? wanted : [wanted];
  return names.map((name) => {
    if (typeof name !== 'string') throw badValue('an index is dropped by its name');
    const index = meta.indexes.find((one) => one.name === name);
    if (!index) throw new CommandError(27, 'IndexNotFound', `index not found with name [${name}]`);
    return index;
  });
}

export function namespaceNotFound(namespace: string): CommandError {
  return new CommandError(26, 'NamespaceNotFound', `ns does not exist: ${namespace}`);
}
