import type { Storefront } from '@shelfwise/facts/stores/storefront';
import type { KeywordReading } from '../domain/keyword/keyword-reading.ts';
import { scoreKeyword } from '../domain/keyword/score-keyword.ts';
import type { MeasuredTermStore } from '../stores/measured-term-store.ts';
import type { Ranking, StoredTerm } from '../stores/stored-term.ts';
import { type KeptTerm, type TermStore, termId } from '../stores/term-store.ts';
import { keywordScored } from './keyword-scored.ts';
import { newerReading } from './newer-reading.ts';

/** A term as it was found before the measuring; null: nobody had known it. */
export type FoundTerm = { storefront: Storefront; keyword: string; kept: KeptTerm | null };

export type TermKeeper = ReturnType<typeof createTermKeeper>;

/** Scores what was read, keeps it, and tells tracking of it. */
export function createTermKeeper(deps: {
  terms: TermStore;
  measuredTerms: MeasuredTermStore;
  now: () => Date;
  /** Told after an event was written. */
  wake: () => void;
}) {
  const { terms, measuredTerms, now, wake } = deps;

  return {
    /** The term as it is now kept; what another measuring has kept meanwhile stays where it is newer. */
    async keep(
      { storefront, keyword, kept }: FoundTerm,
      read: { reading: KeywordReading; ranking: Ranking | null },
      requestId: string,
    ): Promise<StoredTerm> {
      for (let before = kept; ; before = await terms.find(storefront, keyword)) {
        const at = now();
        const reading = before === kept ? read.reading : newerReading(before?.reading, read.reading);
        const score = scoreKeyword({ storefront, keyword, reading }, at);
        const term: StoredTerm = {
          _id: termId(storefront, keyword),
          ...storefront,
          keyword,
          reading,
          score,
          is_tracked: before?.is_tracked ?? false,
          ranking: newerRanking(before?.ranking ?? null, read.ranking),
        };
        const event = term.is_tracked ? keywordScored(term, { at, requestId }) : null;
        const revision = before?.revision ?? 0;
        const measured = { storefront, keyword, revision, reading, score, ranking: read.ranking };
        if (!(await measuredTerms.keep(measured, at, event))) continue;
        if (event) wake();
        return term;
      }
    },

    /** Tells tracking of scores that are kept. */
    async retell(term: StoredTerm, requestId: string): Promise<void> {
      const at = now();
      const event = term.is_tracked ? keywordScored(term, { at, requestId }) : null;
      if (!event) return;
      await measuredTerms.tell(term._id, at, event);
      wake();
    },
  };
}

/** A snapshot of the same day stays. */
function newerRanking(kept: Ranking | null, read: Ranking | null): Ranking | null {
  return read && (!kept || kept.day < read.day) ? read : kept;
}
