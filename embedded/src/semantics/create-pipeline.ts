import type { Doc } from './bson.ts';
import { checkFieldName } from './check-document.ts';
import { checkFilter, checkPath } from './check-filter.ts';
import { badValue, unsupported } from './command-error.ts';
import { createIdentity } from './encode-key.ts';
import { createMatcher } from './match.ts';
import { getValues, leadsThroughArray } from './paths.ts';
import { isDocument } from './values.ts';

type Stage = (docs: Iterable<Doc>) => Iterable<Doc>;

/** Compiles the stages. Refuses those that no store uses by name, before any document is read. */
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
  $limit: (argument) => {
    const count = readLimit(argument);
    return (docs) => skipAndLimit(docs, 0, count);
  },
  $group: createGroup,
};

export function readLimit(value: unknown): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 1)
    throw badValue('$limit needs an integer of at least 1');
  return value;
}

/** `$group` by a field or a constant, with one sum of constants: `{$sum: 1}` counts the documents of each group. */
function createGroup(argument: unknown): Stage {
  if (!isDocument(argument) || !('_id' in argument)) throw badValue('$group needs an _id');
  const { _id: by, ...fields } = argument;
  const readKey = createGroupKey(by);
  const [field, ...others] = Object.keys(fields);
  if (field === undefined) throw unsupported('$group without $sum');
  if (others.length > 0) throw unsupported('more than one accumulator in $group');
  checkFieldName(field);
  const addend = readAddend(fields[field]);
  return function* groupDocs(docs) {
    const groups = new Map<string, { _id: unknown; sum: number }>();
    for (const doc of docs) {
      const _id = readKey(doc);
      const identity = createIdentity(_id);
      groups.set(identity, { _id, sum: (groups.get(identity)?.sum ?? 0) + addend });
    }
    for (const { _id, sum } of groups.values()) yield { _id, [field]: sum };
  };
}

/** Returns the function that reads the `_id` of a document's group. A missing field belongs to the group null. */
function createGroupKey(by: unknown): (doc: Doc) => unknown {
  if (by === null || typeof by === 'number' || (typeof by === 'string' && !by.startsWith('$')))
    return () => by;
  if (typeof by !== 'string' || by.startsWith('$$')) throw unsupported(`$group of ${JSON.stringify(by)}`);
  const path = by.slice(1);
  checkPath(path);
  return (doc) => readValue(doc, path) ?? null;
}

function readAddend(accumulator: unknown): number {
  const [name, argument] = readStage(accumulator);
  if (name !== '$sum') throw unsupported(`${name} in $group`);
  if (typeof argument !== 'number') throw unsupported(`$sum of ${JSON.stringify(argument)}`);
  return argument;
}

/** The value at the path. Refuses a path through an array: in MongoDB its value is an array of values. */
function readValue(doc: Doc, path: string): unknown {
  if (leadsThroughArray(doc, path)) throw unsupported(`the expression '$${path}' over an array`);
  return getValues(doc, path)[0];
}

function* filterDocs(docs: Iterable<Doc>, matches: (doc: Doc) => boolean): Generator<Doc> {
  for (const doc of docs) if (matches(doc)) yield doc;
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
