import type { Doc } from '../semantics/bson.ts';
import { checkFilter, type Filter } from '../semantics/check-filter.ts';
import { badValue, unsupported } from '../semantics/command-error.ts';
import { checkSort, type Sort } from '../semantics/sort.ts';
import type { Collection } from '../storage/collection.ts';
import type { Plan } from '../storage/plan.ts';
import { type Access, chooseAccess, isInOrder } from '../storage/scan.ts';
import { isCountDocuments, readPipeline } from './aggregate.ts';
import { type Command, checkOptions } from './command.ts';
import { readCount, readDocument, readDocuments, readFlag, readString } from './read-option.ts';

/** A stage of a plan, as MongoDB names it. It works on the results of `inputStage`. */
type Stage = { stage: string; inputStage?: Stage; inputStages?: Stage[] } & Doc;

/** What a command selects, and the stages on top of that, the first one innermost. */
type Explained = { filter: Filter; sort?: Sort; onTop: readonly Stage[]; countsAll?: boolean };

/** How each command selects documents; the keys are the names of the commands. */
const readers: Readonly<Record<string, (request: Doc) => Explained>> = {
  find: (request) => ({
    filter: checkFilter(request.filter),
    sort: checkSort(request.sort),
    onTop: skipAndLimit(readCount(request, 'skip'), readCount(request, 'limit')),
  }),
  count: (request) => {
    const filter = checkFilter(request.query);
    const onTop = skipAndLimit(readCount(request, 'skip'), readCount(request, 'limit'));
    return { filter, onTop: [...onTop, { stage: 'COUNT' }], countsAll: true };
  },
  distinct: (request) => ({ filter: checkFilter(request.query), onTop: [] }),
  aggregate(request) {
    const { leading, remaining } = readPipeline(request);
    const onTop = skipAndLimit(0, leading.limit);
    if (remaining.length > 0) onTop.push({ stage: 'GROUP' });
    return { filter: leading.filter, onTop, countsAll: isCountDocuments(remaining) };
  },
  update: (request) => ({
    filter: checkFilter(readStatement(request, 'updates').q),
    onTop: [{ stage: 'UPDATE' }],
  }),
  delete: (request) => ({
    filter: checkFilter(readStatement(request, 'deletes').q),
    onTop: [{ stage: 'DELETE' }],
  }),
  findAndModify: (request) => ({
    filter: checkFilter(request.query),
    sort: checkSort(request.sort),
    onTop: [{ stage: readFlag(request, 'remove') ? 'DELETE' : 'UPDATE' }],
  }),
};

/**
 * The `explain` command: which index another command would use, from the planner itself. The reply has the shape of
 * MongoDB's, without the plans that were not chosen. Nothing is run, so the statistics of an execution are refused.
 *
 * @param commands by name, with the options that each supports
 */
export function createExplain(commands: ReadonlyMap<string, Command>): Command {
  return {
    isWrite: false,
    options: ['verbosity'],
    run(request, { db, catalog }) {
      const { verbosity = 'queryPlanner' } = request;
      if (verbosity !== 'queryPlanner') throw unsupported(`the verbosity '${verbosity}' of explain`);
      const inner = readDocument(request, 'explain');
      const [name = ''] = Object.keys(inner);
      const command = commands.get(name);
      const read = readers[name === 'findandmodify' ? 'findAndModify' : name];
      if (!command || !read) throw unsupported(`the explanation of the command '${name}'`);
      checkOptions(name, inner, command);
      const collectionName = readString(inner, name);
      const explained = read(inner);
      const queryPlanner = {
        namespace: `${db}.${collectionName}`,
        parsedQuery: explained.filter,
        winningPlan: describePlan(catalog.find(db, collectionName), explained),
        rejectedPlans: [],
      };
      return { explainVersion: '1', queryPlanner, command: inner };
    },
  };
}

/** MongoDB, too, explains one statement at a time. */
function readStatement(request: Doc, field: string): Doc {
  const [statement, ...others] = readDocuments(request, field);
  if (!statement || others.length > 0) throw badValue(`an explanation needs exactly one of '${field}'`);
  return statement;
}

function skipAndLimit(skip: number, limit: number): Stage[] {
  const stages: Stage[] = [];
  if (skip > 0) stages.push({ stage: 'SKIP', skipAmount: skip });
  if (limit > 0) stages.push({ stage: 'LIMIT', limitAmount: limit });
  return stages;
}

function describePlan(collection: Collection | undefined, explained: Explained): Stage {
  const { filter, sort = [], onTop, countsAll = false } = explained;
  const wrap = (inner: Stage) =>
    onTop.reduce((inputStage, { stage, ...details }) => ({ stage, ...details, inputStage }), inner);
  if (!collection) return wrap({ stage: 'EOF' });
  if (countsAll && Object.keys(filter).length === 0) return wrap({ stage: 'RECORD_STORE_FAST_COUNT' });
  const access = chooseAccess(collection.meta, filter, sort);
  const found = describeAccess(access, filter);
  if (isInOrder(access, sort)) return wrap(found);
  return wrap({ stage: 'SORT', sortPattern: Object.fromEntries(sort), inputStage: found });
}

function describeAccess(access: Access, filter: Filter): Stage {
  if (access.kind === 'all') return { stage: 'COLLSCAN', direction: 'forward', filter };
  if (access.kind === 'union')
    return fetch({ stage: 'OR', inputStages: access.plans.map(describeIndexScan) }, access.isExact, filter);
  const { plan } = access;
  const isOneId = plan.isById && plan.isExact && plan.ranges.length === 1;
  return isOneId ? { stage: 'IDHACK' } : fetch(describeIndexScan(plan), plan.isExact, filter);
}

/** Reads the documents of index entries. `filter`: those that do not match are dropped. */
function fetch(inputStage: Stage, isExact: boolean, filter: Filter): Stage {
  return isExact ? { stage: 'FETCH', inputStage } : { stage: 'FETCH', filter, inputStage };
}

function describeIndexScan({ index, ranges, isReverse }: Plan): Stage {
  return {
    stage: 'IXSCAN',
    keyPattern: index.key,
    indexName: index.name,
    isMultiKey: index.multikey,
    isUnique: index.unique,
    isSparse: index.sparse,
    direction: isReverse ? 'backward' : 'forward',
    ranges: ranges.length,
  };
}
