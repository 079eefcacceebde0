import { createUpsert } from '../semantics/apply-update.ts';
import type { Doc } from '../semantics/bson.ts';
import { checkFilter, type Filter } from '../semantics/check-filter.ts';
import { checkUpdate, type Update } from '../semantics/check-update.ts';
import { badValue } from '../semantics/command-error.ts';
import { checkSort } from '../semantics/sort.ts';
import type { Collection, StoredDocument } from '../storage/collection.ts';
import type { Command } from './command.ts';
import { findStoredDocuments } from './find-documents.ts';
import { readFlag, readString } from './read-option.ts';

export const findAndModify: Command = {
  isWrite: true,
  options: ['query', 'sort', 'update', 'remove', 'new', 'upsert'],
  run(request, { db, catalog }) {
    const name = readString(request, 'findAndModify' in request ? 'findAndModify' : 'findandmodify');
    const filter = checkFilter(request.query);
    const collection = catalog.find(db, name);
    const [stored] = findStoredDocuments(collection, { filter, sort: checkSort(request.sort) }, true);
    if (readFlag(request, 'remove')) return removeFound(request, collection, stored);
    const update = checkUpdate(request.update);
    const returnsNew = readFlag(request, 'new');
    if (collection && stored) return changeFound(collection, stored, update, returnsNew);
    if (!readFlag(request, 'upsert')) return createReply({ n: 0, updatedExisting: false }, null);
    const doc = insertUpsert(() => catalog.findOrCreate(db, name), filter, update);
    return createReply({ n: 1, updatedExisting: false, upserted: doc._id }, returnsNew ? doc : null);
  },
};

function removeFound(
  request: Doc,
  collection: Collection | undefined,
  stored: StoredDocument | undefined,
): Doc {
  if (request.update !== undefined || readFlag(request, 'new') || readFlag(request, 'upsert')) {
    throw badValue('a findAndModify with remove takes no update, new or upsert');
  }
  if (!collection || !stored) return createReply({ n: 0 }, null);
  collection.remove(stored);
  return createReply({ n: 1 }, stored.doc);
}

function changeFound(
  collection: Collection,
  stored: StoredDocument,
  update: Update,
  returnsNew: boolean,
): Doc {
  collection.update(stored, update);
  const found = returnsNew ? collection.get(stored.docKey) : stored;
  return createReply({ n: 1, updatedExisting: true }, found?.doc ?? null);
}

function insertUpsert(getCollection: () => Collection, filter: Filter, update: Update): Doc {
  const doc = createUpsert(filter, update);
  getCollection().insert(doc);
  return doc;
}

function createReply(lastErrorObject: Doc, value: Doc | null): Doc {
  return { lastErrorObject, value };
}
