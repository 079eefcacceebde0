import type { Doc } from '../semantics/bson.ts';
import { checkFilter } from '../semantics/check-filter.ts';
import { createProjector } from '../semantics/project.ts';
import { checkSort } from '../semantics/sort.ts';
import type { StoredDocument } from '../storage/collection.ts';
import type { Command } from './command.ts';
import { findDocuments } from './find-documents.ts';
import { readCount, readFlag, readString } from './read-option.ts';

export const find: Command = {
  isWrite: false,
  options: ['filter', 'sort', 'projection', 'skip', 'limit', 'batchSize', 'singleBatch'],
  run(request, { db, catalog, cursors, connection }) {
    const name = readString(request, 'find');
    const docs = findDocuments(catalog.find(db, name), {
      filter: checkFilter(request.filter),
      sort: checkSort(request.sort),
      skip: readCount(request, 'skip'),
      limit: readCount(request, 'limit'),
      project: createProjector(request.projection),
    });
    return cursors.open({
      namespace: `${db}.${name}`,
      docs: bytesOfEach(docs),
      connection,
      singleBatch: readFlag(request, 'singleBatch'),
      batchSize: readBatchSize(request),
    });
  },
};

export const getMore: Command = {
  isWrite: false,
  options: ['collection', 'batchSize'],
  run(request, { db, cursors, connection }) {
    const namespace = `${db}.${readString(request, 'collection')}`;
    return cursors.getMore(Number(request.getMore), namespace, connection, readBatchSize(request));
  },
};

export const killCursors: Command = {
  isWrite: false,
  options: ['cursors'],
  run(request, { cursors }) {
    const ids = Array.isArray(request.cursors) ? request.cursors.map(Number) : [];
    const cursorsKilled = ids.filter((id) => cursors.close(id));
    const cursorsNotFound = ids.filter((id) => !cursorsKilled.includes(id));
    return {
      cursorsKilled: cursorsKilled.map(BigInt),
      cursorsNotFound: cursorsNotFound.map(BigInt),
      cursorsAlive: [],
      cursorsUnknown: [],
    };
  },
};

/**
 * Undefined means the default. A batch size of 0 also means the default in getMore, but an empty first batch in other
 * commands.
 */
export function readBatchSize(request: Doc): number | undefined {
  if (request.batchSize === undefined) return undefined;
  const batchSize = readCount(request, 'batchSize');
  return batchSize === 0 && 'getMore' in request ? undefined : batchSize;
}

/** None of them is decoded. */
function* bytesOfEach(docs: Iterable<StoredDocument>): Generator<Buffer> {
  for (const { bytes } of docs) yield bytes;
}
