import type { Doc } from '../bson.ts';
import { encodeKey } from '../storage/encode-key.ts';
import { checkFilter, checkPath } from './check-filter.ts';
import { badValue, unsupported } from './command-error.ts';
import { createMatcher } from './match.ts';
import { meetsArray, valuesAt } from './paths.ts';
import { createProjector } from './project.ts';
import { checkSort, sortDocs } from './sort.ts';
import { isPlain } from './values.ts';

type Stage = (docs: Iterable<Doc>) => Iterable<Doc>;

/** Reads a pipeline of the stages that we have; every other stage is refused by name. */
export function createPipeline(stages: readonly unknown[]): Stage {
  const steps = stages.map(createStage);
  return (docs) => steps.reduce((flowing, step) => step(flowing), docs);
}

/** The name and the argument of a stage. */
export function readStage(stage: unknown): [name: string, argument: unknown] {
  const [entry, ...more] = isPlain(stage) ? Object.entries(stage) : [];
  if (!entry || more.length > 0) throw badValue('a pipeline stage must be a document with one field');
  return entry;
}

function createStage(stage: unknown): Stage {
  const [name, argument] = readStage(stage);
  const create = stages[name];
  if (!create) throw unsupported(name);
  return create(argument);
}

const stages: Record<string, (argument: unknown) => Stage> = {
  $match: (argument) => {
    const matches = createMatcher(checkFilter(argument));
    return (docs) => filter(docs, matches);
  },
  $sort: (argument) => {
    const sort = checkSort(argument);
    return (docs) => sortDocs(docs, sort);
  },
  $skip: (argument) => {
    const count = wholeNumber('$skip', argument, 0);
    return (docs) => window(docs, count, Infinity);
  },
  $limit: (argument) => {
    const count = wholeNumber('$limit', argument, 1);
    return (docs) => window(docs, 0, count);
  },
  $count: (argument) => {
    if (typeof argument !== 'string' || argument === '') throw badValue('$count needs a field name');
    checkPath(argument);
    return (docs) => countAll(docs, argument);
  },
  $project: (argument) => {
    const project = createProjector(argument);
    if (!project) throw badValue('$project needs at least one field');
    return (docs) => map(docs, project);
  },
  $group: createGroup,
};

/** The number of a `$skip` or `$limit`; both bounds and the type are checked. */
export function wholeNumber(name: string, value: unknown, least: number): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < least) {
    throw badValue(`${name} needs a whole number of at least ${least}`);
  }
  return value;
}

function fieldPath(stage: string, argument: unknown): string {
  if (typeof argument !== 'string' || !argument.startsWith('$') || argument.startsWith('$$')) {
    throw unsupported(`${stage} of ${JSON.stringify(argument)}`);
  }
  checkPath(argument.slice(1));
  return argument.slice(1);
}

type Accumulator = { add(doc: Doc): void; result(): unknown };

/**
 * `$group` by a field or by a constant, with one `$sum` or `$count` (of two, FerretDB gets the second wrong): one
 * number per group, however many documents.
 */
function createGroup(argument: unknown): Stage {
  if (!isPlain(argument) || !('_id' in argument)) throw badValue('$group needs an _id');
  const { _id: by, ...fields } = argument;
  const keyOf = groupKey(by);
  const [field, ...more] = Object.keys(fields);
  if (more.length > 0) throw unsupported('more than one accumulator in $group');
  const create = field === undefined ? undefined : accumulator(fields[field]);
  return function* group(docs) {
    const groups = new Map<string, { _id: unknown; cell: Accumulator | undefined }>();
    for (const doc of docs) {
      const _id = keyOf(doc);
      const identity = encodeKey(_id, { whole: true }).toString('latin1');
      const found = groups.get(identity) ?? { _id, cell: create?.() };
      groups.set(identity, found);
      found.cell?.add(doc);
    }
    for (const { _id, cell } of groups.values()) {
      yield { _id, ...(field !== undefined && { [field]: cell?.result() }) };
    }
  };
}

function groupKey(by: unknown): (doc: Doc) => unknown {
  if (by === null || typeof by === 'number' || (typeof by === 'string' && !by.startsWith('$')))
    return () => by;
  const path = fieldPath('$group', by);
  return (doc) => valueAt(doc, path) ?? null;
}

function accumulator(spec: unknown): () => Accumulator {
  const [name, argument] = readStage(spec);
  if (name === '$count' && isPlain(argument) && Object.keys(argument).length === 0) return () => sum(() => 1);
  if (name !== '$sum') throw unsupported(`${name} in $group`);
  if (typeof argument === 'number') return () => sum(() => argument);
  const path = fieldPath('$sum', argument);
  return () => sum((doc) => valueAt(doc, path));
}

/** Adds up the numbers and skips what is none. */
function sum(read: (doc: Doc) => unknown): Accumulator {
  let total = 0;
  return {
    add: (doc) => {
      const value = read(doc);
      if (typeof value === 'number') total += value;
    },
    result: () => total,
  };
}

/** The value of a path in an expression; a path through an array would give an array: refused. */
function valueAt(doc: Doc, path: string): unknown {
  const parent = path.slice(0, Math.max(0, path.lastIndexOf('.')));
  if (parent !== '' && meetsArray(doc, parent)) throw unsupported(`the expression '$${path}' over an array`);
  return valuesAt(doc, path)[0];
}

function* filter(docs: Iterable<Doc>, keep: (doc: Doc) => boolean): Generator<Doc> {
  for (const doc of docs) if (keep(doc)) yield doc;
}

function* map(docs: Iterable<Doc>, change: (doc: Doc) => Doc): Generator<Doc> {
  for (const doc of docs) yield change(doc);
}

/** What is left after `skip` documents, `limit` at most. */
export function* window<T>(items: Iterable<T>, skip: number, limit: number): Generator<T> {
  let at = 0;
  for (const item of items) {
    at += 1;
    if (at > skip) yield item;
    if (at >= skip + limit) return;
  }
}

function* countAll(docs: Iterable<Doc>, field: string): Generator<Doc> {
  let n = 0;
  for (const _ of docs) n += 1;
  if (n > 0) yield { [field]: n };
}
