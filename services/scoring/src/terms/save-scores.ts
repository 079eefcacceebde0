import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { nextChangeTime } from '@shelfwise/runtime/events/next-change-time';
import type { KeywordReading } from '../domain/keyword/keyword-reading.ts';
import { scoreKeyword } from '../domain/keyword/score-keyword.ts';
import type { MeasuredTermStore } from '../stores/measured-term-store.ts';
import { publicPageAfter } from '../stores/public-page.ts';
import type { Ranking, Term } from '../stores/term.ts';
import { termId } from '../stores/term-filters.ts';
import type { TermDocument } from '../stores/term-schema.ts';
import type { TermStore } from '../stores/term-store.ts';
import { isShowable } from './doubted-page.ts';
import { createKeywordScoredEvent } from './keyword-scored-event.ts';

/** A term before its measurement; `stored` is null when it is new. */
export type FoundTerm = { storefront: Storefront; keyword: string; stored: TermDocument | null };

export type SaveScoresDeps = {
  terms: Pick<TermStore, 'find'>;
  measuredTerms: Pick<MeasuredTermStore, 'save'>;
  now: () => Date;
  /** Called after an event was stored in the outbox. */
  wake: () => void;
};

/**
 * Scores what was read and stores it, with an event for tracking if an account tracks the term. Returns the term as
 * stored. When another measurement has stored the term in between, its newer parts are preserved, and the scores are
 * computed again.
 */
export async function saveScores(
  { terms, measuredTerms, now, wake }: SaveScoresDeps,
  { storefront, keyword, stored }: FoundTerm,
  read: { reading: KeywordReading; ranking: Ranking | null; isUnproven?: boolean | null },
  requestId: string,
): Promise<Term> {
  for (let before = stored; ; before = await terms.find(storefront, keyword)) {
    const at = now();
    const reading = before === stored ? read.reading : newerReading(before?.reading, read.reading);
    // Consumers keep the scores with the latest time. The write is conditional on the revision of `before`.
    const scoredAt = nextChangeTime(at, before?.score?.scored_at);
    const score = scoreKeyword({ storefront, keyword, reading }, scoredAt);
    const term: Term = {
      _id: termId(storefront, keyword),
      ...storefront,
      keyword,
      reading,
      score,
      is_tracked: before?.is_tracked ?? false,
      ranking: newerRanking(before?.ranking ?? null, read.ranking),
    };
    const publicPage =
      before && isShowable(reading.page, term.ranking) ? publicPageAfter(before, term, at) : null;
    if (before?.public_until) term.public_until = before.public_until;
    const shown = publicPage ?? before?.public_page;
    if (shown) term.public_page = shown;
    const event = term.is_tracked ? createKeywordScoredEvent(term, { at, requestId }) : null;
    const revision = before?.revision ?? 0;
    const ranking = term.ranking === read.ranking ? read.ranking : null;
    const { isUnproven = null } = read;
    const measured = { storefront, keyword, revision, reading, score, ranking, publicPage, isUnproven };
    if (!(await measuredTerms.save(measured, at, event))) continue;
    if (event) wake();
    return term;
  }
}

export type RepublishScoresDeps = Pick<SaveScoresDeps, 'now' | 'wake'> & {
  measuredTerms: Pick<MeasuredTermStore, 'publish'>;
};

/** Publishes stored scores for tracking again; does nothing for a term that is not tracked or has no scores. */
export async function republishScores(
  { measuredTerms, now, wake }: RepublishScoresDeps,
  term: Term,
  requestId: string,
): Promise<void> {
  const at = now();
  const event = term.is_tracked ? createKeywordScoredEvent(term, { at, requestId }) : null;
  if (!event) return;
  await measuredTerms.publish(term._id, at, event);
  wake();
}

/**
 * The read ranking if its day is later. One stored for the same day may be tracking's snapshot: it stays, unless only the read
 * one has results.
 */
function newerRanking(stored: Ranking | null, read: Ranking | null): Ranking | null {
  if (!read || !stored) return read ?? stored;
  const isDisproof = stored.day === read.day && stored.app_ids.length === 0 && read.app_ids.length > 0;
  return stored.day < read.day || isDisproof ? read : stored;
}

/**
 * The newer parts of two readings of one term; a page and its chart stay together, and so do the suggestion and the
 * looks. On a tie, `read` wins.
 */
function newerReading(stored: KeywordReading | undefined, read: KeywordReading): KeywordReading {
  if (!stored) return read;
  const { page, chart } = isNewer(stored.page, read.page) ? stored : read;
  const { suggestion, empty_looks } = isNewer(stored.suggestion, read.suggestion) ? stored : read;
  return { page, chart, suggestion, empty_looks };
}

function isNewer(stored: { read_at: Date } | null, read: { read_at: Date } | null): boolean {
  return stored !== null && (read === null || stored.read_at > read.read_at);
}
