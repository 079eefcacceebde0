import { checkFilter, checkPath } from '../semantics/check-filter.ts';
import { createIdentity } from '../semantics/encode-key.ts';
import { getIndexedValues } from '../semantics/paths.ts';
import { countMatches } from '../storage/scan.ts';
import type { Command } from './command.ts';
import { findDocuments } from './find-documents.ts';
import { readCount, readString } from './read-option.ts';

export const count: Command = {
  isWrite: false,
  options: ['query', 'skip', 'limit'],
  run(request, { db, catalog }) {
    const collection = catalog.find(db, readString(request, 'count'));
    const filter = checkFilter(request.query);
    const [skip, limit] = [readCount(request, 'skip'), readCount(request, 'limit')];
    const matched = collection ? countMatches(collection, filter) : 0;
    const remaining = Math.max(0, matched - skip);
    return { n: limit === 0 ? remaining : Math.min(remaining, limit) };
  },
};

export const distinct: Command = {
  isWrite: false,
  options: ['key', 'query'],
  run(request, { db, catalog }) {
    const path = readString(request, 'key');
    checkPath(path);
    const collection = catalog.find(db, readString(request, 'distinct'));
    const values = new Map<string, unknown>();
    for (const { doc } of findDocuments(collection, { filter: checkFilter(request.query) })) {
      for (const value of getIndexedValues(doc, path)) {
        if (value !== undefined) values.set(createIdentity(value), value);
      }
    }
    return { values: [...values.values()] };
  },
};
