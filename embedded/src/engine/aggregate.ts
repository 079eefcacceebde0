import type { Doc } from '../bson.ts';
import { createPipeline, readStage, wholeNumber } from '../semantics/aggregate.ts';
import { checkFilter, type Filter } from '../semantics/check-filter.ts';
import { badValue, unsupported } from '../semantics/command-error.ts';
import { checkSort, type Sort } from '../semantics/sort.ts';
import { isPlain } from '../semantics/values.ts';
import { countMatches } from '../storage/scan.ts';
import { type Command, refuseUnknown } from './command.ts';
import { batchSizeOf } from './find.ts';
import { findDocuments } from './find-documents.ts';
import { readDocument } from './read-option.ts';

export const aggregate: Command = {
  writes: false,
  options: ['pipeline', 'cursor'],
  run(request, { db, catalog, cursors, client }) {
    const name = request.aggregate;
    if (typeof name !== 'string') throw unsupported('an aggregation without a collection');
    const collection = catalog.find(db, name);
    const { selection, rest } = readLead(readStages(request));
    const countsAll = rest.length === 1 && countsEverything(rest[0]) && isWhole(selection);
    const docs =
      countsAll && collection
        ? countReply(countMatches(collection, selection.filter))
        : createPipeline(rest)(findDocuments(collection, selection));
    const cursor = readDocument(request, 'cursor');
    refuseUnknown('cursor', cursor, new Set(['batchSize']));
    return cursors.start({ namespace: `${db}.${name}`, docs, client, ...batchSizeOf(cursor) });
  },
};

type Lead = { filter: Filter; sort: Sort; skip: number; limit: number };

function readStages(request: Doc): unknown[] {
  if (!Array.isArray(request.pipeline)) throw badValue("'pipeline' has to be an array");
  return request.pipeline;
}

/** The stages at the front that an index can serve, in the order match, sort, skip, limit; and what is left. */
function readLead(stages: readonly unknown[]): { selection: Lead; rest: unknown[] } {
  const rest = [...stages];
  const take = (name: string): unknown => {
    if (rest.length === 0 || readStage(rest[0])[0] !== name) return undefined;
    const [, argument] = readStage(rest.shift());
    return argument ?? null;
  };
  const filter = take('$match');
  const sort = take('$sort');
  const skip = take('$skip');
  const limit = take('$limit');
  return {
    selection: {
      filter: checkFilter(filter),
      sort: checkSort(sort),
      skip: skip === undefined ? 0 : wholeNumber('$skip', skip, 0),
      limit: limit === undefined ? 0 : wholeNumber('$limit', limit, 1),
    },
    rest,
  };
}

function isWhole({ skip, limit }: Lead): boolean {
  return skip === 0 && limit === 0;
}

/** Is it the stage that countDocuments() sends? */
function countsEverything(stage: unknown): boolean {
  const [name, argument] = readStage(stage);
  if (name !== '$group' || !isPlain(argument)) return false;
  const { _id, n, ...more } = argument;
  return (
    _id === 1 && isPlain(n) && n.$sum === 1 && Object.keys(n).length === 1 && Object.keys(more).length === 0
  );
}

function countReply(n: number): Doc[] {
  return n === 0 ? [] : [{ _id: 1, n }];
}
