/** Maps in order, with at most `atOnce` under way. The first rejection rejects the whole. */
export async function mapFew<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  map: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results = new Array<Result>(items.length);
  const waiting = items.entries();
  const work = async () => {
    for (const [place, item] of waiting) results[place] = await map(item);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return results;
}
