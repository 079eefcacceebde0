import { activeSpan, runInSpan, type Span } from '../tracing/tracing.ts';

type Waiting<Item, Result> = {
  item: Item;
  /** The span of the caller. */
  span: Span | null;
  resolve(result: Result): void;
  reject(error: unknown): void;
};

/**
 * Runs items in batches, with few batches at a time: items that arrive while batches run wait for the next one. The more
 * items arrive at once, the larger the batches. A first item waits until the end of the turn of the event loop, so that
 * others of the turn come along. In traces a batch is a part of the first caller's span.
 * @param options.run runs a batch in the order of arrival, and returns one result per item; when it throws, the whole
 *   batch fails, and the next one runs
 * @param options.maxItems in one batch, at least 1
 * @param options.maxRunning batches at a time; default 1
 */
export function createBatches<Item, Result>(options: {
  run: (items: Item[]) => Promise<readonly Result[]>;
  maxItems: number;
  maxRunning?: number;
}): (item: Item) => Promise<Result> {
  const { run, maxItems, maxRunning = 1 } = options;
  const waiting: Waiting<Item, Result>[] = [];
  let running = 0;

  async function runBatch(): Promise<void> {
    const batch = waiting.splice(0, maxItems);
    try {
      const items = batch.map(({ item }) => item);
      const results = await runInSpan(batch[0]?.span ?? null, () => run(items));
      for (const [index, { resolve }] of batch.entries()) resolve(results[index] as Result);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  async function runAll(): Promise<void> {
    while (waiting.length > 0) await runBatch();
    running--;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, span: activeSpan(), resolve, reject });
      if (running >= maxRunning) return;
      running++;
      setImmediate(runAll);
    });
}
