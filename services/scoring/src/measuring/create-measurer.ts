import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { createSingleflight } from '@shelfwise/runtime/concurrency/singleflight';
import type { KeywordReading } from '../domain/keyword/keyword-reading.ts';
import { scoringVersion } from '../domain/scoring-version.ts';
import type { AppDetailsStore } from '../stores/app-details-store.ts';
import { createMeasuredTermStore } from '../stores/measured-term-store.ts';
import type { StoredTerm } from '../stores/stored-term.ts';
import { type KeptTerm, type TermStore, termId } from '../stores/term-store.ts';
import { lackingOf, lacksAny, staleSinceOf } from './lacking.ts';
import { limitPatience } from './limit-patience.ts';
import type { Measured, MeasureNeed, Measurer } from './measurer.ts';
import { planNext } from './plan-next.ts';
import { readLacking } from './read-lacking.ts';
import type { StoreReader, StoreTurn } from './store-turn.ts';
import { createTermKeeper } from './term-keeper.ts';

type Wanted = { storefront: Storefront; keyword: string; need: MeasureNeed };

const nothing: KeywordReading = { page: null, suggestion: null, chart: null };

/**
 * A measuring writes what was read together with its event, then tells everybody else, then plans the term anew. After a
 * crash in between the term comes due within a minute, and is told then without another call.
 */
export function createMeasurer(
  deps: StoreReader & {
    terms: TermStore;
    appDetails: AppDetailsStore;
    /** Told of each term that was kept, once at least, and waited for. */
    onMeasured: (term: StoredTerm) => Promise<void>;
    /** 0 to 1 */
    random: () => number;
    /** Told after an event was written. */
    wake: () => void;
  },
): Measurer {
  const { terms, onMeasured, now, random } = deps;
  const measuredTerms = createMeasuredTermStore(terms);
  const keeper = createTermKeeper({ ...deps, measuredTerms });
  const flights = createSingleflight<Measured, { deadlineMs: number }>(() => ({ deadlineMs: 0 }));

  async function measure({ storefront, keyword, need }: Wanted, turn: StoreTurn): Promise<Measured> {
    const kept = await terms.find(storefront, keyword);
    const at = now();
    const known = kept?.reading ?? nothing;
    const isFirst = known.page === null && known.suggestion === null;
    const lacking = lackingOf(known, need, at);
    if (kept && isCurrent(kept) && !lacksAny(lacking)) {
      await endUnfinished(kept, turn.requestId);
      return { term: kept, isFirst, staleSince: null };
    }
    const read = await readLacking(deps, { storefront, keyword, reading: known }, lacking, turn);
    const { refusal } = read;
    const isNews = read.isChanged || (kept?.score != null && !isCurrent(kept));
    const term = isNews ? await keeper.keep({ storefront, keyword, kept }, read, turn.requestId) : kept;
    if (term && isNews) await onMeasured(term);
    const isRefused = refusal !== null && (need.page === 'today' || read.reading.page === null);
    // Whoever has claimed it says himself when it is tried again.
    if (term && (isNews || kept?.claimed_by) && !(isRefused && kept?.claimed_by)) await plan(term, kept);
    if (isRefused) throw refusal;
    if (!term) throw new Error('a measuring without a refusal has read something');
    const stillLacking = lackingOf(read.reading, need, at);
    return { term, isFirst, staleSince: staleSinceOf(read.reading, stillLacking) };
  }

  /** A measuring that has died after its writing, or one for which there was nothing to read. */
  async function endUnfinished(kept: KeptTerm, requestId: string): Promise<void> {
    if (kept.is_untold) {
      await keeper.retell(kept, requestId);
      await onMeasured(kept);
    }
    const isDue = kept.due_at !== undefined && kept.due_at <= now();
    if (kept.is_untold || kept.claimed_by || isDue) await plan(kept, kept);
  }

  async function plan(term: StoredTerm, kept: KeptTerm | null): Promise<void> {
    const before = kept ?? { _id: term._id, is_tracked: false, failures: 0, asks: 0 };
    const next = planNext(before, term.reading, { now: now(), random });
    if (next) await measuredTerms.plan(before, next);
  }

  return {
    async measure(storefront, keyword, need, call) {
      const patience = limitPatience(call);
      // One that nobody waits for must not hold up somebody who does.
      const key = `${need.page} ${need.isAwaited} ${termId(storefront, keyword)}`;
      try {
        return await flights.join(
          key,
          patience.signal,
          (signal, shared) =>
            measure(
              { storefront, keyword, need },
              {
                requestId: call.requestId,
                isAwaited: need.isAwaited,
                signal,
                deadline: () => new Date(shared.deadlineMs),
              },
            ),
          (shared) => {
            shared.deadlineMs = Math.max(shared.deadlineMs, call.deadline.getTime());
          },
        );
      } finally {
        patience.end();
      }
    },
  };
}

function isCurrent({ score }: StoredTerm): boolean {
  return score?.scoring_version === scoringVersion;
}
