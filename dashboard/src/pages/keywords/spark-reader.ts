import type { RankDay } from '../../charts/rank-scale.ts';

/** The ranks of a keyword from one UTC day to another (YYYY-MM-DD, both included), oldest first. */
export type RankDays = { from: string; to: string; read: readonly RankDay[] };

export type SparkReader = ReturnType<typeof createSparkReader>;

/** The most keywords whose ranks one call of the API answers. */
const keywordsPerCall = 100;
/** A row that passes while one scrolls is out of view again before it is read, in ms. */
const settleMs = 100;

const settle = () => new Promise<void>((resolve) => setTimeout(resolve, settleMs));

/**
 * Reads the ranks by day of the keywords in view: those that come together by one call, one call at a time, and each keyword
 * once. A failed call is not repeated: its keywords have no ranks.
 * @param options.call answers the ranks of some keywords by their ids
 * @param options.onFailed called with what a call throws
 */
export function createSparkReader(options: {
  call: (ids: readonly string[]) => Promise<ReadonlyMap<string, RankDays>>;
  onFailed: (error: unknown) => void;
  pause?: () => Promise<void>;
}) {
  const { call, onFailed, pause = settle } = options;
  const known = new Map<string, RankDays | null>();
  const inView = new Map<string, (days: RankDays | null) => void>();
  let isBusy = false;

  async function readNext(ids: readonly string[]): Promise<void> {
    const found = await call(ids).catch((error: unknown) => {
      onFailed(error);
      return null;
    });
    for (const id of ids) {
      const days = found?.get(id) ?? null;
      known.set(id, days);
      inView.get(id)?.(days);
    }
  }

  async function readAll(): Promise<void> {
    isBusy = true;
    for (;;) {
      await pause();
      const ids = [...inView.keys()].filter((id) => !known.has(id)).slice(0, keywordsPerCall);
      if (ids.length === 0) break;
      await readNext(ids);
    }
    isBusy = false;
  }

  return {
    /** Its row is in view. `show` is called once its ranks are read; null: there are none. */
    enter(id: string, show: (days: RankDays | null) => void): void {
      inView.set(id, show);
      if (known.has(id)) show(known.get(id) ?? null);
      else if (!isBusy) void readAll();
    },
    leave: (id: string): void => void inView.delete(id),
  };
}
