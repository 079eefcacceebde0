import { createUpsert } from '../semantics/apply-update.ts';
import { type Doc, ObjectId } from '../semantics/bson.ts';
import { checkFilter } from '../semantics/check-filter.ts';
import { checkUpdate } from '../semantics/check-update.ts';
import { badValue } from '../semantics/command-error.ts';
import { scan } from '../storage/scan.ts';
import { type Command, refuseUnknown } from './command.ts';
import { findStoredDocuments } from './find-documents.ts';
import { readDocuments, readFlag, readString } from './read-option.ts';
import { writeEach } from './write-each.ts';

export const insert: Command = {
  isWrite: true,
  options: ['documents', 'ordered'],
  run(request, { db, catalog }) {
    const collection = catalog.findOrCreate(db, readString(request, 'insert'));
    let n = 0;
    const failed = writeEach(readDocuments(request, 'documents'), request.ordered, (doc) => {
      // Puts `_id` first, as MongoDB does.
      collection.insert({ _id: doc._id === undefined ? new ObjectId() : doc._id, ...doc });
      n += 1;
    });
    return { n, ...failed };
  },
};

const updateOptions = new Set(['q', 'u', 'multi', 'upsert', 'hint']);

export const update: Command = {
  isWrite: true,
  options: ['updates', 'ordered'],
  run(request, { db, catalog }) {
    const name = readString(request, 'update');
    const upserted: Doc[] = [];
    let n = 0;
    let nModified = 0;
    const failed = writeEach(readDocuments(request, 'updates'), request.ordered, (statement, index) => {
      refuseUnknown('an update', statement, updateOptions);
      const filter = checkFilter(statement.q);
      const change = checkUpdate(statement.u);
      const multi = readFlag(statement, 'multi');
      if (multi && change.kind === 'replace')
        throw badValue('multi update is not supported for replacement-style update');
      const collection = catalog.find(db, name);
      const matches = findStoredDocuments(collection, { filter }, !multi);
      for (const stored of matches) {
        if (collection?.update(stored, change)) nModified += 1;
        n += 1;
      }
      if (matches.length > 0 || !readFlag(statement, 'upsert')) return;
      const doc = createUpsert(filter, change);
      catalog.findOrCreate(db, name).insert(doc);
      upserted.push({ index, _id: doc._id });
      n += 1;
    });
    const reply: { n: number; nModified: number; upserted?: Doc[] } = { n, nModified };
    if (upserted.length > 0) reply.upserted = upserted;
    return { ...reply, ...failed };
  },
};

const deleteOptions = new Set(['q', 'limit', 'hint']);

// `delete` is a reserved word.
export const remove: Command = {
  isWrite: true,
  options: ['deletes', 'ordered'],
  run(request, { db, catalog }) {
    const collection = catalog.find(db, readString(request, 'delete'));
    let n = 0;
    const failed = writeEach(readDocuments(request, 'deletes'), request.ordered, (statement) => {
      refuseUnknown('a delete', statement, deleteOptions);
      const filter = checkFilter(statement.q);
      const { limit } = statement;
      if (limit !== 0 && limit !== 1) throw badValue('the limit of a delete must be 0 or 1');
      if (!collection) return;
      if (limit === 0 && Object.keys(filter).length === 0) {
        n += collection.clear();
        return;
      }
      for (const stored of scan(collection, filter, []).matches) {
        collection.remove(stored);
        n += 1;
        if (limit === 1) return;
      }
    });
    return { n, ...failed };
  },
};
