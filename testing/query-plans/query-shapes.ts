import type { mongo } from 'mongoose';

type Doc = mongo.Document;

/** A command that selects documents, with one statement at most. */
export type Query = { collection: string; command: Doc };

const selecting = ['find', 'aggregate', 'count', 'distinct', 'findAndModify'];

/** The queries of a command that the driver sends: none of an insert, one for each statement of an update or delete. */
export function queriesOf(commandName: string, command: Doc): Query[] {
  const collection = String(command[commandName]);
  if (selecting.includes(commandName)) return [{ collection, command: withoutContext(command) }];
  for (const [name, field] of [
    ['update', 'updates'],
    ['delete', 'deletes'],
  ] as const)
    if (commandName === name)
      return (command[field] as Doc[]).map((statement) => ({
        collection,
        command: { [name]: collection, [field]: [statement] },
      }));
  return [];
}

/** What an explanation takes: without the session and the like. */
function withoutContext(command: Doc): Doc {
  return Object.fromEntries(
    Object.entries(command).filter(([name]) => !/^[$]|^(lsid|txnNumber|batchSize|comment|raw)$/.test(name)),
  );
}

/** Equal for two queries that differ only in their values, or in what they write: that has no part in the plan. */
export function shapeOf({ command }: Query): string {
  return JSON.stringify(selectionOf(command).map(([name, value]) => [name, shape(name, value)]));
}

/** Without what an update writes, which may be a page of hundreds of apps: to walk it costs more than the command. */
function selectionOf(command: Doc): [string, unknown][] {
  return Object.entries(command).flatMap(([name, value]): [string, unknown][] => {
    if (name === 'updates') return [[name, (value as Doc[]).map(({ u: _, ...selection }) => selection)]];
    const isWritten = name === 'update' && typeof value !== 'string';
    return isWritten ? [] : [[name, value]];
  });
}

/** Values become their types; of a document the names stay, and the values of a sort or a pipeline. */
function shape(name: string, value: unknown): unknown {
  // The driver sends a sort as a map.
  if (name === 'sort') return value instanceof Map ? [...value] : value;
  if (typeof value === 'string') return kept(name, value);
  if (Array.isArray(value)) {
    if (name === '$in' || name === '$nin') return [value.length > 1 ? 'several' : value.length];
    return [...new Set(value.map((item) => JSON.stringify(shape('', item))))];
  }
  if (isPlain(value)) return Object.entries(value).map(([key, item]) => [key, shape(key, item)]);
  return value === null ? 'null' : typeof value;
}

/** The name of a collection, or a path of a group; not a value of a filter. */
function kept(name: string, value: unknown): unknown {
  const isName = [
    'find',
    'aggregate',
    'count',
    'distinct',
    'findAndModify',
    'update',
    'delete',
    'key',
  ].includes(name);
  return isName ? value : 'string';
}

function isPlain(value: unknown): value is Doc {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
