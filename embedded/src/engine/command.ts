import type { Doc } from '../semantics/bson.ts';
import { badValue, unsupported } from '../semantics/command-error.ts';
import { isDocument } from '../semantics/values.ts';
import type { Catalog } from '../storage/catalog.ts';
import type { Cursors } from './cursors.ts';

export type CommandContext = {
  db: string;
  catalog: Catalog;
  cursors: Cursors;
  /** The client connection that sent the command. Only its identity is used, to close its cursors with it. */
  connection: object;
  now(): Date;
};

export type Command = {
  /** The command runs inside a transaction and is answered once the transaction is on disk. */
  isWrite: boolean;
  /** The command may add indexes. Reads wait until it is on disk, because a query could use an unfinished index. */
  buildsIndexes?: true;
  /**
   * The options of this command, in addition to the common ones. `any` accepts every option: a handshake offers
   * features that the server may ignore.
   */
  options: readonly string[] | 'any';
  run(request: Doc, context: CommandContext): Doc;
};

/**
 * Drivers may send these with any command. `$db` names the database. The others have no effect: there is one copy of
 * the data, always current and on disk before the reply; the planner needs no hint, and a command runs to its end.
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

export function checkOptions(name: string, request: Doc, command: Command): void {
  const { options } = command;
  if (options === 'any') return;
  // Not a set of them all: it would be made for each command.
  const has = (option: string) => option === name || commonOptions.has(option) || options.includes(option);
  refuseUnknown(name, request, { has });
  const { writeConcern } = request;
  if (isDocument(writeConcern) && typeof writeConcern.w === 'number' && writeConcern.w > 1) {
    throw badValue("cannot use 'w' > 1 when a host is not replicated");
  }
}

/**
 * Refuses fields outside of `supported`, unless their value is false or null, which changes nothing.
 *
 * @param owner what the fields belong to, for the message: a command, `an index`
 */
export function refuseUnknown(owner: string, spec: Doc, supported: Pick<ReadonlySet<string>, 'has'>): void {
  for (const [option, value] of Object.entries(spec)) {
    if (supported.has(option) || value === undefined || value === null || value === false) continue;
    throw unsupported(transactionOptions.has(option) ? 'transactions' : `the option '${option}' of ${owner}`);
  }
}
