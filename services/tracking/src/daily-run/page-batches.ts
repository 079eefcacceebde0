import { setTimeout as sleep } from 'node:timers/promises';
import type { PageOfMarket, SaveResultPages } from '../snapshots/save-result-pages.ts';

const pagesPerBatch = 50;
/** How long a page waits for others to share its batch. */
const gatherMs = 3;

/** A page, and how its job is answered. */
type WaitingPage = { page: PageOfMarket; resolve: () => void; reject: (reason: unknown) => void };

export type PageBatches = ReturnType<typeof createPageBatches>;

/** Gathers the pages that concurrent jobs of the daily run have read, and saves them in batches, one at a time. */
export function createPageBatches({ saveResultPages }: { saveResultPages: SaveResultPages }) {
  const waiting: WaitingPage[] = [];
  let saving: Promise<void> | null = null;

  async function saveAll(): Promise<void> {
    while (waiting.length > 0) {
      if (waiting.length < pagesPerBatch) await sleep(gatherMs);
      await saveBatch(waiting.splice(0, pagesPerBatch));
    }
    saving = null;
  }

  async function saveBatch(batch: readonly WaitingPage[]): Promise<void> {
    try {
      const saved = await saveResultPages(batch.map(({ page }) => page));
      for (const [index, { resolve, reject }] of batch.entries()) {
        const outcome = saved[index];
        if (outcome?.status === 'rejected') reject(outcome.reason);
        else resolve();
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  return {
    /** Adds a page to the next batch; resolves when it is saved. */
    add(page: PageOfMarket): Promise<void> {
      return new Promise((resolve, reject) => {
        waiting.push({ page, resolve, reject });
        saving ??= saveAll();
      });
    },

    /** Resolves when all added pages are saved or rejected. */
    async idle(): Promise<void> {
      while (saving) await saving;
    },
  };
}
