import { createBatches } from '@shelfwise/runtime/concurrency/batches';
import type { PageOfMarket, SaveResultPages } from '../snapshots/save-result-pages.ts';

const pagesPerBatch = 50;

export type PageBatches = ReturnType<typeof createPageBatches>;

/** Gathers the pages that concurrent jobs of the daily run have read, and saves them in batches, one at a time. */
export function createPageBatches({ saveResultPages }: { saveResultPages: SaveResultPages }) {
  const saveTogether = createBatches({ run: saveResultPages, maxItems: pagesPerBatch });
  const saving = new Set<Promise<void>>();

  async function save(page: PageOfMarket): Promise<void> {
    const outcome = await saveTogether(page);
    if (outcome.status === 'rejected') throw outcome.reason;
  }

  return {
    /** Adds a page to the next batch; resolves when it is saved. */
    add(page: PageOfMarket): Promise<void> {
      const saved = save(page).finally(() => saving.delete(saved));
      saving.add(saved);
      return saved;
    },

    /** Resolves when all added pages are saved or rejected. */
    async idle(): Promise<void> {
      while (saving.size > 0) await Promise.allSettled(saving);
    },
  };
}
