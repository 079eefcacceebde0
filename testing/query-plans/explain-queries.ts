import type { Connection, mongo } from 'mongoose';
import { type Query, shapeOf } from './query-shapes.ts';
import { smallCollections } from './small-collections.ts';

type Stage = { stage?: string; indexName?: string; [field: string]: unknown };

/** EOF: a collection that no model declares. */
const scans: ReadonlySet<string | undefined> = new Set(['COLLSCAN', 'EOF']);

/** A query, and the indexes that it uses; none means that it reads the whole collection. */
export type ExplainedQuery = { query: Query; indexes: string[]; isScan: boolean };

/**
 * Asks the server for the plan of each query.
 * @param connection to a database with the collections and indexes of the queries
 */
export async function explainQueries(
  connection: Connection,
  queries: readonly Query[],
): Promise<ExplainedQuery[]> {
  const explained: ExplainedQuery[] = [];
  for (const query of queries) {
    const reply = await connection.db?.command({ explain: query.command, verbosity: 'queryPlanner' });
    const stages = stagesIn(winningPlans(reply ?? {}));
    explained.push({
      query,
      indexes: [...new Set(stages.flatMap(({ indexName }) => indexName ?? []))],
      isScan: stages.some(({ stage }) => scans.has(stage)) || readsAll(query, stages),
    });
  }
  return explained;
}

/** Without a condition and a limit, an index that gives the order is read from its first entry to its last. */
function readsAll({ command }: Query, stages: readonly Stage[]): boolean {
  const isLimited = stages.some(({ stage }) => stage === 'LIMIT');
  const isIndexRead = stages.some(({ stage }) => stage === 'IXSCAN');
  return isIndexRead && !isLimited && Object.keys(filterOf(command)).length === 0;
}

/** One line for each query that reads a whole collection, unless the collection stays small. */
export function describeScans(explained: readonly ExplainedQuery[]): string[] {
  return explained
    .filter(({ isScan, query }) => isScan && !isExempt(query))
    .map(({ query }) => `${query.collection}: ${shapeOf(query)}`);
}

function isExempt({ collection, command }: Query): boolean {
  const paths = Object.keys(filterOf(command)).sort().join();
  return smallCollections.some(
    (exempt) =>
      exempt.collection === collection && (!exempt.paths || [...exempt.paths].sort().join() === paths),
  );
}

function filterOf({ filter, query, pipeline, updates, deletes }: mongo.Document): object {
  return filter ?? query ?? pipeline?.[0]?.$match ?? (updates ?? deletes)?.[0]?.q ?? {};
}

/** Those of the whole reply: an aggregation may hold its plan in its first stage. */
function winningPlans(reply: mongo.Document): unknown[] {
  if (reply === null || typeof reply !== 'object') return [];
  return Object.entries(reply).flatMap(([name, value]) => {
    if (name === 'winningPlan') return [value];
    return name === 'command' || name === 'parsedQuery' ? [] : winningPlans(value);
  });
}

function stagesIn(plan: unknown): Stage[] {
  if (Array.isArray(plan)) return plan.flatMap(stagesIn);
  if (plan === null || typeof plan !== 'object') return [];
  const own = 'stage' in plan ? [plan as Stage] : [];
  // A filter may have a field named `stage`.
  const inner = Object.entries(plan).filter(([name]) => name !== 'filter' && name !== 'parsedQuery');
  return [...own, ...inner.flatMap(([, value]) => stagesIn(value))];
}
