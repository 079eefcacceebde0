import { isDatabaseFailure } from './database-errors.ts';

/**
 * What a process remembers of rows, where it is the only one that writes them: a row that is remembered is as stored. Each change of a
 * remembered field goes through `change` or `changeAny`. What `read` leaves out is not remembered.
 */
export type RowMemory<Key, Row> = {
  /** The rows of the keys, without those that do not exist. What is not remembered is read in one call of `read`. */
  find(
    keys: readonly Key[],
    read: (unknown: readonly Key[]) => Promise<ReadonlyMap<Key, Row>>,
  ): Promise<Map<Key, Row>>;
  /** Makes a change of the row. While it is under way, the row is read each time. */
  change<Result>(key: Key, write: () => Promise<Result>): Promise<Result>;
  /** The same of rows whose keys are not known: all are forgotten. */
  changeAny<Result>(write: () => Promise<Result>): Promise<Result>;
};

/** Some hundred bytes each. */
const mostRows = 10_000;

/**
 * Beyond `max` rows, the one that was asked for the longest ago is forgotten. A row must not be changed by who finds it.
 *
 * A write that the database has not confirmed may still happen, at any time: its row is read each time from then on, and beyond `max` of
 * such rows each row is. Every error of the driver counts as unconfirmed.
 */
export function createRowMemory<Key extends string | number, Row>(max = mostRows): RowMemory<Key, Row> {
  /** Ordered by last use. */
  const known = new Map<Key, Row>();
  /** By key: the latest read of its row that no change has made doubtful. */
  const reading = new Map<Key, symbol>();
  /** By key: how many changes of its row are under way. */
  const changing = new Map<Key, number>();
  /** Keys of rows with a write that was not confirmed. */
  const doubtful = new Set<Key>();
  /** How many changes of any row are under way, or were not confirmed. */
  let changingAny = 0;

  function recall(key: Key): Row | undefined {
    const row = known.get(key);
    if (row === undefined) return undefined;
    known.delete(key);
    known.set(key, row);
    return row;
  }

  function remember(key: Key, row: Row): void {
    known.set(key, row);
    const [oldest] = known.keys();
    if (known.size > max && oldest !== undefined) known.delete(oldest);
  }

  function keepDoubt(key: Key): void {
    if (doubtful.size < max) doubtful.add(key);
    else changingAny++;
  }

  const isSure = (key: Key) => changingAny === 0 && !changing.has(key) && !doubtful.has(key);

  return {
    async find(keys, read) {
      const found = new Map<Key, Row>();
      const unknown: Key[] = [];
      for (const key of new Set(keys)) {
        const row = recall(key);
        if (row === undefined) unknown.push(key);
        else found.set(key, row);
      }
      if (unknown.length === 0) return found;
      const own = Symbol('a read');
      for (const key of unknown) if (isSure(key)) reading.set(key, own);
      try {
        for (const [key, row] of await read(unknown)) {
          found.set(key, row);
          if (reading.get(key) === own) remember(key, row);
        }
      } finally {
        for (const key of unknown) if (reading.get(key) === own) reading.delete(key);
      }
      return found;
    },

    async change(key, write) {
      known.delete(key);
      reading.delete(key);
      changing.set(key, (changing.get(key) ?? 0) + 1);
      try {
        return await write();
      } catch (error) {
        if (isDatabaseFailure(error)) keepDoubt(key);
        throw error;
      } finally {
        const others = (changing.get(key) ?? 1) - 1;
        if (others > 0) changing.set(key, others);
        else changing.delete(key);
      }
    },

    async changeAny(write) {
      known.clear();
      reading.clear();
      changingAny++;
      try {
        return await write();
      } catch (error) {
        if (isDatabaseFailure(error)) changingAny++;
        throw error;
      } finally {
        changingAny--;
      }
    },
  };
}

/** @param isOnlyCopy without it nothing is remembered */
export function createMemory<Key extends string | number, Row>(
  isOnlyCopy: boolean,
  max?: number,
): RowMemory<Key, Row> {
  return isOnlyCopy ? createRowMemory(max) : createNoMemory();
}

/** Remembers nothing: other copies write the rows, too. */
export function createNoMemory<Key, Row>(): RowMemory<Key, Row> {
  return {
    find: async (keys, read) => new Map(keys.length === 0 ? [] : await read([...new Set(keys)])),
    change: (_key, write) => write(),
    changeAny: (write) => write(),
  };
}
