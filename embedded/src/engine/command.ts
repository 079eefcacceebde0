import type { Doc } from '../semantics/bson.ts';
import { badValue, unsupported } from '../semantics/command-error.ts';
import { isDocument } from '../semantics/values.ts';
import type { Catalog } from '../storage/catalog.ts';
import type { Cursors } from './cursors.ts';

/** What a command works with. */
export type CommandContext = {
  db: string;
  catalog: Catalog;
  cursors: Cursors;
  /** The connection that asks. */
  connection: object;
  now(): Date;
};

export type Command = {
  /** Runs inside a transaction, and is answered when that is on disk. */
  isWrite: boolean;
  /** Makes indexes: until they are on disk, no query may plan with them. */
  buildsIndexes?: true;
  /** The options that it understands, beside those that every command takes; `any` for an offer of what may be used. */
  options: readonly string[] | 'any';
  run(request: Doc, context: CommandContext): Doc;
};

/**
 * What drivers send with any command and what changes nothing here: there is one copy, always current and always on
 * disk before the answer; a hint is advice that our planner does not need.
 */
const commonOptions = new Set([
  '$db',
  'lsid',
  '$clusterTime',
  '$readPreference',
  'readConcern',
  'writeConcern',
  'maxTimeMS',
  'comment',
  'hint',
  'allowDiskUse',
]);

const transactionOptions = new Set(['txnNumber', 'startTransaction', 'autocommit']);

/** Refuses a command with an option that we do not have, and a write concern that we cannot keep. */
export function checkOptions(name: string, request: Doc, command: Command): void {
  if (command.options === 'any') return;
  refuseUnknown(name, request, new Set([name, ...commonOptions, ...command.options]));
  const { writeConcern } = request;
  if (isDocument(writeConcern) && typeof writeConcern.w === 'number' && writeConcern.w > 1) {
    throw badValue("cannot use 'w' > 1 when a host is not replicated");
  }
}

/** Refuses a field outside the list, unless it is off. */
export function refuseUnknown(owner: string, spec: Doc, known: ReadonlySet<string>): void {
  for (const [option, value] of Object.entries(spec)) {
    if (known.has(option) || value === undefined || value === null || value === false) continue;
    throw unsupported(transactionOptions.has(option) ? 'transactions' : `the option '${option}' of ${owner}`);
  }
}
