import type { Connection } from 'mongoose';

/**
 * A change of stored data that a new version needs, for example of a field's name or meaning, or of the encoding of an
 * event: outboxes hold encoded events.
 */
export type Migration = {
  /** The day it was written and what it does: `2026-12-01-split-names`. Migrations run in the order of their ids. */
  id: string;
  /**
   * Changes the data. It must be idempotent, because after a crash it runs again from its start, and it must work on an
   * empty database. Services may be running. Throws the reason of the signal soon after that fires.
   */
  run(connection: Connection, signal: AbortSignal): Promise<void>;
};

/** What the code of one service expects of its database. */
export type DatabaseSchema = {
  /** The name without a prefix. */
  database: string;
  /** Registers every model of the database, whose indexes are created. Has no other effect. */
  createModels(connection: Connection): unknown;
  /** In the order of their ids. One that was released is never changed or removed. */
  migrations: readonly Migration[];
};

/** @throws Error for a mistake of a developer */
export function checkMigrationIds(migrations: readonly Pick<Migration, 'id'>[]): void {
  let previous = '';
  for (const { id } of migrations) {
    if (!/^\d{4}-\d\d-\d\d-[a-z0-9-]+$/.test(id))
      throw new Error(`the migration ${id} needs a date and words`);
    if (id <= previous) throw new Error(`the migration ${id} must come before ${previous}`);
    previous = id;
  }
}
