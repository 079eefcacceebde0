/**
 * Processes all items, at most `limit` at a time. The results keep the order of the items. After a failure no further
 * item starts; the error is thrown once all running items have finished.
 */
export async function mapLimited<Item, Result>(
  items: readonly Item[],
  limit: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const queue = [...items.entries()];
  const worker = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const [index, item] = next;
      try {
        results[index] = await work(item);
      } catch (error) {
        queue.length = 0;
        throw error;
      }
    }
  };
  const workers = await Promise.allSettled(Array.from({ length: limit }, worker));
  const failed = workers.find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
  return results;
}
