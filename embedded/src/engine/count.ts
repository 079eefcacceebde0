import { checkFilter, checkPath } from '../semantics/check-filter.ts';
import { indexedValuesAt } from '../semantics/paths.ts';
import { encodeKey } from '../storage/encode-key.ts';
import { countMatches } from '../storage/scan.ts';
import type { Command } from './command.ts';
import { findDocuments } from './find-documents.ts';
import { readCount, readString } from './read-option.ts';

export const count: Command = {
  writes: false,
  options: ['query', 'skip', 'limit'],
  run(request, { db, catalog }) {
    const collection = catalog.find(db, readString(request, 'count'));
    const filter = checkFilter(request.query);
    const [skip, limit] = [readCount(request, 'skip'), readCount(request, 'limit')];
    const found = collection ? countMatches(collection, filter) : 0;
    const left = Math.max(0, found - skip);
    return { n: limit === 0 ? left : Math.min(left, limit) };
  },
};

export const distinct: Command = {
  writes: false,
  options: ['key', 'query'],
  run(request, { db, catalog }) {
    const path = readString(request, 'key');
    checkPath(path);
    const collection = catalog.find(db, readString(request, 'distinct'));
    const values = new Map<string, unknown>();
    for (const doc of findDocuments(collection, { filter: checkFilter(request.query) })) {
      for (const value of indexedValuesAt(doc, path)) {
        if (value !== undefined) values.set(encodeKey(value, { whole: true }).toString('latin1'), value);
      }
    }
    return { values: [...values.values()] };
  },
};
