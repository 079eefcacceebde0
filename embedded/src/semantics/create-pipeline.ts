import type { Doc } from './bson.ts';
import { checkFieldName } from './check-document.ts';
import { checkFilter, checkPath } from './check-filter.ts';
import { badValue, unsupported } from './command-error.ts';
import { createIdentity } from './encode-key.ts';
import { createMatcher } from './match.ts';
import { getValues, leadsThroughArray } from './paths.ts';
import { createProjector } from './project.ts';
import { checkSort, sortDocs } from './sort.ts';
import { isDocument } from './values.ts';

type Stage = (docs: Iterable<Doc>) => Iterable<Doc>;

/** Compiles the stages. Refuses unsupported ones by name, before any document is read. */
export function createPipeline(stages: readonly unknown[]): Stage {
  const steps = stages.map(createStage);
  return (docs) => steps.reduce((input, step) => step(input), docs);
}

/** Returns the only field of a stage, or of another expression of the form `{$name: argument}`. */
export function readStage(stage: unknown): [name: string, argument: unknown] {
  const [entry, ...others] = isDocument(stage) ? Object.entries(stage) : [];
  if (!entry || others.length > 0) throw badValue('a pipeline stage must be a document with one field');
  return entry;
}

function createStage(stage: unknown): Stage {
  const [name, argument] = readStage(stage);
  // An object also has inherited properties, such as `constructor`.
  const create = Object.hasOwn(stages, name) ? stages[name] : undefined;
  if (!create) throw unsupported(name);
  return create(argument);
}

const stages: Record<string, (argument: unknown) => Stage> = {
  $match: (argument) => {
    const matches = createMatcher(checkFilter(argument));
    return (docs) => filterDocs(docs, matches);
  },
  $sort: (argument) => {
    const sort = checkSort(argument);
    return (docs) => sortDocs(docs, sort);
  },
  $skip: (argument) => {
    const count = readInteger('$skip', argument, 0);
    return (docs) => skipAndLimit(docs, count, Infinity);
  },
  $limit: (argument) => {
    const count = readInteger('$limit', argument, 1);
    return (docs) => skipAndLimit(docs, 0, count);
  },
  $count: (argument) => {
    if (typeof argument !== 'string' || argument === '') throw badValue('$count needs a field name');
    checkFieldName(argument);
    return (docs) => countDocs(docs, argument);
  },
  $project: (argument) => {
    const project = createProjector(argument);
    if (!project) throw badValue('$project needs at least one field');
    return (docs) => mapDocs(docs, project);
  },
  $group: createGroup,
};

export function readInteger(name: string, value: unknown, min: number): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < min) {
    throw badValue(`${name} needs an integer of at least ${min}`);
  }
  return value;
}

/** Returns the path of a field expression: `a.b` for `'$a.b'`. Refuses every other expression. */
function readFieldPath(stage: string, argument: unknown): string {
  if (typeof argument !== 'string' || !argument.startsWith('$') || argument.startsWith('$$')) {
    throw unsupported(`${stage} of ${JSON.stringify(argument)}`);
  }
  checkPath(argument.slice(1));
  return argument.slice(1);
}

type Accumulator = { add(doc: Doc): void; result(): unknown };

/**
 * `$group` by a field or a constant, with at most one `$sum` or `$count`: FerretDB computes a second accumulator
 * wrongly. Only one number per group is in memory, not the documents.
 */
function createGroup(argument: unknown): Stage {
  if (!isDocument(argument) || !('_id' in argument)) throw badValue('$group needs an _id');
  const { _id: by, ...fields } = argument;
  const readKey = createGroupKey(by);
  const [field, ...others] = Object.keys(fields);
  if (others.length > 0) throw unsupported('more than one accumulator in $group');
  if (field !== undefined) checkFieldName(field);
  const create = field === undefined ? undefined : createAccumulator(fields[field]);
  return function* groupDocs(docs) {
    const groups = new Map<string, { _id: unknown; accumulator: Accumulator | undefined }>();
    for (const doc of docs) {
      const _id = readKey(doc);
      const identity = createIdentity(_id);
      const group = groups.get(identity) ?? { _id, accumulator: create?.() };
      groups.set(identity, group);
      group.accumulator?.add(doc);
    }
    for (const { _id, accumulator } of groups.values()) {
      yield field === undefined ? { _id } : { _id, [field]: accumulator?.result() };
    }
  };
}

/** Returns the function that reads the `_id` of a document's group. A missing field belongs to the group null. */
function createGroupKey(by: unknown): (doc: Doc) => unknown {
  if (by === null || typeof by === 'number' || (typeof by === 'string' && !by.startsWith('$')))
    return () => by;
  const path = readFieldPath('$group', by);
  return (doc) => readValue(doc, path) ?? null;
}

function createAccumulator(spec: unknown): () => Accumulator {
  const [name, argument] = readStage(spec);
  if (name === '$count' && isDocument(argument) && Object.keys(argument).length === 0)
    return () => createSum(() => 1);
  if (name !== '$sum') throw unsupported(`${name} in $group`);
  if (typeof argument === 'number') return () => createSum(() => argument);
  const path = readFieldPath('$sum', argument);
  return () => createSum((doc) => readValue(doc, path));
}

/** Ignores values that are not numbers. */
function createSum(read: (doc: Doc) => unknown): Accumulator {
  let total = 0;
  return {
    add: (doc) => {
      const value = read(doc);
      if (typeof value === 'number') total += value;
    },
    result: () => total,
  };
}

/** The value at the path. Refuses a path through an array: in MongoDB its value is an array of values. */
function readValue(doc: Doc, path: string): unknown {
  if (leadsThroughArray(doc, path)) throw unsupported(`the expression '$${path}' over an array`);
  return getValues(doc, path)[0];
}

function* filterDocs(docs: Iterable<Doc>, matches: (doc: Doc) => boolean): Generator<Doc> {
  for (const doc of docs) if (matches(doc)) yield doc;
}

function* mapDocs(docs: Iterable<Doc>, change: (doc: Doc) => Doc): Generator<Doc> {
  for (const doc of docs) yield change(doc);
}

/** `limit` must be at least 1; Infinity means no limit. Stops reading after the last item that it needs. */
export function* skipAndLimit<T>(items: Iterable<T>, skip: number, limit: number): Generator<T> {
  let position = 0;
  for (const item of items) {
    position += 1;
    if (position > skip) yield item;
    if (position >= skip + limit) return;
  }
}

/** Counting no document gives no result document, as in MongoDB. */
function* countDocs(docs: Iterable<Doc>, field: string): Generator<Doc> {
  let n = 0;
  for (const _ of docs) n += 1;
  if (n > 0) yield { [field]: n };
}
