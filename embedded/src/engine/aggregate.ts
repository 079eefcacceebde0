import { type Doc, toBsonEach } from '../semantics/bson.ts';
import { checkFilter, type Filter } from '../semantics/check-filter.ts';
import { badValue, unsupported } from '../semantics/command-error.ts';
import { createPipeline, readLimit, readStage } from '../semantics/create-pipeline.ts';
import { isDocument } from '../semantics/values.ts';
import type { Collection } from '../storage/collection.ts';
import { countByValue, countMatches } from '../storage/scan.ts';
import { type Command, refuseUnknown } from './command.ts';
import { readBatchSize } from './find.ts';
import { decodeEach, findDocuments } from './find-documents.ts';
import { readDocument } from './read-option.ts';

export const aggregate: Command = {
  isWrite: false,
  options: ['pipeline', 'cursor'],
  run(request, { db, catalog, cursors, connection }) {
    const name = request.aggregate;
    if (typeof name !== 'string') throw unsupported('an aggregation without a collection');
    const collection = catalog.find(db, name);
    const { leading, remaining } = readPipeline(request);
    const docs =
      isCountDocuments(remaining) && collection
        ? createCountResult(countMatches(collection, leading.filter, leading.limit))
        : (countGroups(collection, leading, remaining) ??
          createPipeline(remaining)(decodeEach(findDocuments(collection, leading))));
    const cursor = readDocument(request, 'cursor');
    refuseUnknown('cursor', cursor, new Set(['batchSize']));
    return cursors.open({
      namespace: `${db}.${name}`,
      docs: toBsonEach(docs),
      connection,
      batchSize: readBatchSize(cursor),
    });
  },
};

export function readPipeline(request: Doc): ReturnType<typeof splitLeadingStages> {
  return splitLeadingStages(readStages(request));
}

/**
 * Reports whether these stages are those of `countDocuments()`. They need only a number, which an index may give without
 * reading documents.
 */
export function isCountDocuments(remaining: readonly unknown[]): boolean {
  return remaining.length === 1 && isCountDocumentsStage(remaining[0]);
}

/** A `limit` of 0 means no limit. */
type LeadingStages = { filter: Filter; limit: number };

function readStages(request: Doc): unknown[] {
  if (!Array.isArray(request.pipeline)) throw badValue("'pipeline' must be an array");
  return request.pipeline;
}

/** Splits off the leading stages that an index can serve: match and limit, in this order and each at most once. */
function splitLeadingStages(stages: readonly unknown[]): {
  leading: LeadingStages;
  remaining: unknown[];
} {
  const remaining = [...stages];
  /** Removes the next stage if it has this name. Returns its argument, or undefined if it has another name. */
  const take = (name: string): unknown => {
    if (remaining.length === 0 || readStage(remaining[0])[0] !== name) return undefined;
    const [, argument] = readStage(remaining.shift());
    return argument ?? null;
  };
  const filter = take('$match');
  const limit = take('$limit');
  return {
    leading: {
      filter: checkFilter(filter),
      limit: limit === undefined ? 0 : readLimit(limit),
    },
    remaining,
  };
}

function isCountDocumentsStage(stage: unknown): boolean {
  const [name, argument] = readStage(stage);
  if (name !== '$group' || !isDocument(argument)) return false;
  const { _id, n, ...others } = argument;
  return (
    _id === 1 &&
    isDocument(n) &&
    n.$sum === 1 &&
    Object.keys(n).length === 1 &&
    Object.keys(others).length === 0
  );
}

/**
 * The result of a single `$group` that counts documents by a field. The match must list values of that field, and an
 * index must count each of them. Undefined for any other pipeline.
 */
function countGroups(
  collection: Collection | undefined,
  { filter, limit }: LeadingStages,
  [stage, ...others]: readonly unknown[],
): Doc[] | undefined {
  if (!collection || stage === undefined || others.length > 0 || limit !== 0) return undefined;
  const [name, argument] = readStage(stage);
  if (name !== '$group' || !isDocument(argument)) return undefined;
  const { _id: by, ...fields } = argument;
  const [[field, accumulator] = [], ...more] = Object.entries(fields);
  if (typeof by !== 'string' || !by.startsWith('$') || field === undefined || more.length > 0)
    return undefined;
  if (!isDocument(accumulator) || accumulator.$sum !== 1 || Object.keys(accumulator).length > 1)
    return undefined;
  const counts = countByValue(collection, filter, by.slice(1));
  return counts && [...counts].flatMap(([_id, n]) => (n > 0 ? [{ _id, [field]: n }] : []));
}

/** Counting no document gives no result document, as in MongoDB. */
function createCountResult(n: number): Doc[] {
  return n === 0 ? [] : [{ _id: 1, n }];
}
