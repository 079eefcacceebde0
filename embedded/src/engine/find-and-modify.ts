import { type Doc, fromBson } from '../bson.ts';
import { applyUpdate, createUpsert } from '../semantics/apply-update.ts';
import { checkFilter, type Filter } from '../semantics/check-filter.ts';
import { checkUpdate, type Update } from '../semantics/check-update.ts';
import { badValue } from '../semantics/command-error.ts';
import { checkSort } from '../semantics/sort.ts';
import type { Collection, Stored } from '../storage/collection.ts';
import type { Command } from './command.ts';
import { findStored } from './find-documents.ts';
import { readFlag, readString } from './read-option.ts';

export const findAndModify: Command = {
  writes: true,
  options: ['query', 'sort', 'update', 'remove', 'new', 'upsert'],
  run(request, { db, catalog }) {
    const name = readString(request, 'findAndModify' in request ? 'findAndModify' : 'findandmodify');
    const filter = checkFilter(request.query);
    const collection = catalog.find(db, name);
    const [stored] = findStored(collection, { filter, sort: checkSort(request.sort) }, true);
    if (readFlag(request, 'remove')) return removeFound(request, collection, stored);
    const update = checkUpdate(request.update);
    const wantsNew = readFlag(request, 'new');
    if (collection && stored) return changeFound(collection, stored, update, wantsNew);
    if (!readFlag(request, 'upsert')) return reply({ n: 0, updatedExisting: false }, null);
    const doc = insertFor(() => catalog.findOrCreate(db, name), filter, update);
    return reply({ n: 1, updatedExisting: false, upserted: doc._id }, wantsNew ? doc : null);
  },
};

function removeFound(request: Doc, collection: Collection | undefined, stored: Stored | undefined): Doc {
  if (request.update !== undefined || readFlag(request, 'new') || readFlag(request, 'upsert')) {
    throw badValue('a findAndModify that removes cannot update as well');
  }
  if (!collection || !stored) return reply({ n: 0 }, null);
  collection.remove(stored);
  return reply({ n: 1 }, stored.doc);
}

function changeFound(collection: Collection, stored: Stored, update: Update, wantsNew: boolean): Doc {
  const doc = applyUpdate(stored.doc, update);
  collection.replace(stored, doc);
  return reply({ n: 1, updatedExisting: true }, wantsNew ? doc : fromBson(stored.bytes));
}

function insertFor(collection: () => Collection, filter: Filter, update: Update): Doc {
  const doc = createUpsert(filter, update);
  collection().insert(doc);
  return doc;
}

function reply(lastErrorObject: Doc, value: Doc | null): Doc {
  return { lastErrorObject, value };
}
