import type { Doc } from '../semantics/bson.ts';
import { CommandError } from '../semantics/command-error.ts';
import { isDocument } from '../semantics/values.ts';
import { type Catalog, openCatalog, readCatalogVersion } from '../storage/catalog.ts';
import type { KeyValueStore, Reads, SnapshotReader } from '../storage/key-value-store.ts';
import { aggregate } from './aggregate.ts';
import { type Command, checkOptions } from './command.ts';
import { count, distinct } from './count.ts';
import { createCursors } from './cursors.ts';
import { find } from './find.ts';

/** The commands that only read documents. */
const commands = new Map<string, Command>([
  ['find', find],
  ['aggregate', aggregate],
  ['count', count],
  ['distinct', distinct],
]);

export function isRead(commandName: string): boolean {
  return commands.has(commandName);
}

/** Finding the documents of more values takes longer than a short read may, and would be done twice. */
const maxValues = 500;

/** The values in the lists of a filter, also in its branches. */
function countValues(filter: unknown): number {
  if (!isDocument(filter)) return 0;
  let count = 0;
  for (const [name, condition] of Object.entries(filter)) {
    if (name === '$or' && Array.isArray(condition))
      for (const branch of condition) count += countValues(branch);
    else if (isDocument(condition) && Array.isArray(condition.$in)) count += condition.$in.length;
  }
  return count;
}

export type ShortReader = ReturnType<typeof createShortReader>;

/** Runs short reads next to the engine, which another thread of this process runs on the same store. */
export function createShortReader(snapshots: SnapshotReader) {
  const cursors = createCursors({ now: () => new Date(0) });
  let catalog: Catalog | undefined;
  let version = -1;

  /** The metadata of the state that is read. */
  function currentCatalog(reads: Reads): Catalog {
    const currentVersion = readCatalogVersion(reads);
    if (!catalog || currentVersion !== version) catalog = openCatalog(withoutWrites(reads));
    version = currentVersion;
    return catalog;
  }

  return {
    /**
     * The reply to a command, or undefined if the engine has to run it: because it takes long, its result needs a cursor,
     * or reading failed.
     * @throws CommandError when the command is refused
     */
    run(request: Doc): Doc | undefined {
      const [name = ''] = Object.keys(request);
      const command = commands.get(name);
      if (!command || countValues(request.filter) > maxValues) return undefined;
      checkOptions(name, request, command);
      const connection = {};
      try {
        const reply = snapshots.read((reads) =>
          command.run(request, {
            db: String(request.$db ?? 'admin'),
            catalog: currentCatalog(reads),
            cursors,
            connection,
            now: () => new Date(),
          }),
        );
        return cursors.count() === 0 ? reply : undefined;
      } catch (error) {
        if (error instanceof CommandError) throw error;
        return undefined;
      } finally {
        cursors.closeForConnection(connection);
      }
    },
    close: () => snapshots.close(),
  };
}

/** Collections read from a store and write to it; these only read. */
function withoutWrites(reads: Reads): KeyValueStore {
  const refuse = () => {
    throw new Error('a short read does not write');
  };
  return { ...reads, put: refuse, remove: refuse, transact: refuse, close: refuse };
}
