import type { Doc } from '../semantics/bson.ts';
import { CommandError, unsupported } from '../semantics/command-error.ts';
import { openCatalog } from '../storage/catalog.ts';
import type { KeyValueStore } from '../storage/key-value-store.ts';
import { aggregate } from './aggregate.ts';
import { create, drop, dropDatabase, listCollections, listDatabases } from './collections.ts';
import { type Command, checkOptions } from './command.ts';
import { count, distinct } from './count.ts';
import { createCursors } from './cursors.ts';
import { createExplain } from './explain.ts';
import { find, getMore, killCursors } from './find.ts';
import { findAndModify } from './find-and-modify.ts';
import { createIndexes, dropIndexes, listIndexes } from './indexes.ts';
import { buildInfo, endSessions, hello, ping } from './session.ts';
import { insert, remove, update } from './write.ts';

/**
 * Drivers send some commands in older spellings, such as `ismaster`. A map, because an object would also find inherited
 * names such as `constructor`.
 */
const commands = new Map<string, Command>([
  ['hello', hello],
  ['isMaster', hello],
  ['ismaster', hello],
  ['ping', ping],
  ['buildInfo', buildInfo],
  ['buildinfo', buildInfo],
  ['endSessions', endSessions],
  ['find', find],
  ['getMore', getMore],
  ['killCursors', killCursors],
  ['count', count],
  ['distinct', distinct],
  ['aggregate', aggregate],
  ['insert', insert],
  ['update', update],
  ['delete', remove],
  ['findAndModify', findAndModify],
  ['findandmodify', findAndModify],
  ['createIndexes', createIndexes],
  ['listIndexes', listIndexes],
  ['dropIndexes', dropIndexes],
  ['create', create],
  ['drop', drop],
  ['dropDatabase', dropDatabase],
  ['listCollections', listCollections],
  ['listDatabases', listDatabases],
]);

commands.set('explain', createExplain(commands));

export type Engine = ReturnType<typeof createEngine>;

export type EngineDeps = {
  store: KeyValueStore;
  now(): Date;
  /** Called on a failure of the engine or the disk. Memory and disk may then differ, so the engine must stop. */
  onFault(error: unknown): void;
};

/** The database engine. It runs one command at a time. */
export function createEngine({ store, now, onFault }: EngineDeps) {
  const catalog = openCatalog(store);
  const cursors = createCursors({ now });
  const indexBuilds = new Set<Promise<Doc>>();

  /**
   * Resolves with the reply, for a write once it is on disk. Rejects with a CommandError when the command is refused.
   */
  async function run(request: Doc, connection: object): Promise<Doc> {
    const [name = ''] = Object.keys(request);
    const command = commands.get(name);
    if (!command) throw unsupported(`the command '${name}'`);
    checkOptions(name, request, command);
    const context = { db: String(request.$db ?? 'admin'), catalog, cursors, connection, now };
    if (command.isWrite) return write(command, () => command.run(request, context));
    // Reads see only what is on disk, but the catalog already shows an index while its transaction is being written.
    while (indexBuilds.size > 0) await Promise.allSettled(indexBuilds);
    return read(() => command.run(request, context));
  }

  /** A read that meets a broken page ends the engine: what it would answer from then on is unknown. */
  function read(answer: () => Doc): Doc {
    try {
      return answer();
    } catch (error) {
      if (isDamage(error)) onFault(error);
      throw error;
    }
  }

  async function write({ buildsIndexes }: Command, change: () => Doc): Promise<Doc> {
    const committed = commit(change);
    if (!buildsIndexes) return committed;
    indexBuilds.add(committed);
    return committed.finally(() => indexBuilds.delete(committed));
  }

  /**
   * A refused change does not abort the transaction: what it wrote before stays, as in MongoDB, and the catalog in
   * memory stays equal to the disk.
   */
  async function commit(change: () => Doc): Promise<Doc> {
    let refusal: CommandError | undefined;
    const reply = await store
      .transact(() => {
        try {
          return change();
        } catch (error) {
          if (!(error instanceof CommandError)) throw error;
          refusal = error;
          return {};
        }
      })
      .catch((error: unknown) => {
        onFault(error);
        throw error;
      });
    if (refusal) throw refusal;
    return reply;
  }

  return { run, cursors, close: () => store.close() };
}

/** Whether LMDB found a broken page. Its errors are known by their message only. */
function isDamage(error: unknown): boolean {
  return /^MDB_(CORRUPTED|PAGE_NOTFOUND|PANIC)/.test((error as { message?: string } | null)?.message ?? '');
}
