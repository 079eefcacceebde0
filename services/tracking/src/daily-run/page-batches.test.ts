import type { PageOfMarket, SaveResultPages } from '../snapshots/save-result-pages.ts';
import { createPageBatches } from './page-batches.ts';

const idsOf = (pages: readonly PageOfMarket[]) => pages.map(({ market }) => market._id);
const pageOf = (id: number) => ({ market: { _id: id } }) as unknown as PageOfMarket;
const pagesOf = (count: number) => Array.from({ length: count }, (_, index) => pageOf(index + 1));

/** Batches that record the saved ids. `fail` chooses the pages that are rejected. */
function startBatches(fail: (id: number) => boolean = () => false) {
  const batches: number[][] = [];
  let saving = 0;
  const saveResultPages: SaveResultPages = async (pages) => {
    expect(++saving).toBe(1);
    await new Promise((resolve) => setImmediate(resolve));
    saving--;
    batches.push(idsOf(pages));
    return pages.map(({ market }) =>
      fail(market._id)
        ? { status: 'rejected', reason: new Error(`page ${market._id} is incomplete`) }
        : { status: 'fulfilled', value: {} as never },
    );
  };
  return { batches, saveResultPages };
}

test('pages that arrive together are saved in batches of at most fifty, one batch at a time', async () => {
  const { batches, saveResultPages } = startBatches();
  const { add } = createPageBatches({ saveResultPages });
  await Promise.all(pagesOf(120).map(add));
  expect(batches.map(({ length }) => length)).toEqual([50, 50, 20]);
  expect(batches.flat()).toEqual(idsOf(pagesOf(120)));
});

test('a page that cannot be saved is rejected alone', async () => {
  const { saveResultPages } = startBatches((id) => id === 2);
  const { add } = createPageBatches({ saveResultPages });
  const ended = await Promise.allSettled(pagesOf(3).map(add));
  expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

test('a failing database rejects every page of the batch, and the next pages are saved', async () => {
  const { batches, saveResultPages } = startBatches();
  let isFull = true;
  const { add } = createPageBatches({
    saveResultPages: async (pages) => {
      if (isFull) throw new Error('no space is left on the disk');
      return saveResultPages(pages);
    },
  });
  const ended = await Promise.allSettled(pagesOf(3).map(add));
  expect(ended.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  isFull = false;
  await Promise.all(pagesOf(3).map(add));
  expect(batches).toEqual([[1, 2, 3]]);
});

test('idle resolves when no page is waiting to be saved', async () => {
  const { batches, saveResultPages } = startBatches();
  const { add, idle } = createPageBatches({ saveResultPages });
  await idle();
  const saved = add(pageOf(1));
  await idle();
  expect(batches).toEqual([[1]]);
  await saved;
});
