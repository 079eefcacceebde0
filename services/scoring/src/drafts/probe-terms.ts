import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { shortenDeadline, withDeadline } from '@shelfwise/runtime/concurrency/deadline';
import { createFailureStreak } from '@shelfwise/runtime/concurrency/failure-streak';
import { mapLimited } from '@shelfwise/runtime/concurrency/map-limited';
import type { Sleep } from '@shelfwise/runtime/concurrency/sleep';
import { isUpstreamFailure } from '@shelfwise/runtime/errors';
import type { CallOptions } from '@shelfwise/runtime/grpc/grpc-types';
import type { TermScore } from '../domain/audit/audit-input.ts';
import { isRead } from '../domain/keyword/search-status.ts';
import { scoringVersion } from '../domain/scoring-version.ts';
import { type Importance, importances, weekMs } from '../domain/term-schedule.ts';
import { type TermSummary, toTermSummary } from '../stores/term-projections.ts';
import type { TermStore } from '../stores/term-store.ts';
import type { Measurer } from '../terms/measurer.ts';

const termsAtOnce = 8;
/** The time for reading the store; the reserved time is for scoring, saving and replying. */
const readLimit = { maxMs: 20_000, reserveMs: 4000 };

export type ProbeTermsDeps = {
  terms: Pick<TermStore, 'findSummaries' | 'findAuditTerms' | 'requestMeasuring'>;
  measurer: Measurer;
  now: () => Date;
  sleep: Sleep;
};

type DraftTerm = { keyword: string; importance: Importance };

export type ProbedTerms = {
  /** By normal form; terms that are unknown and could not be read in time are missing. */
  scores: ReadonlyMap<string, TermScore>;
  /** How many terms have a result page that was read. */
  probedCount: number;
  /** Those that do not, in their order: the scores leave them out. */
  pending: readonly string[];
  /**
   * How many of the pending ones have an empty result page and wait for the second look at their suggestions, which takes
   * ten minutes.
   */
  waitingCount: number;
  /** Whether nothing is known about any of the terms, not even that users search for it. */
  isBlank: boolean;
  /** How many of the probed terms have traffic that was computed without the store's suggestions. */
  partialCount: number;
  /** How many of the probed terms were read from the store for the first time. */
  fetchedCount: number;
  /** The time of the oldest outdated reading in use; null when there is none. */
  staleSince: Date | null;
};

/** A term as far as it is known, before and after the store is read. */
type Probed = DraftTerm & {
  term: TermSummary | null;
  /** Whether this call has read it for the first time. */
  isFirst: boolean;
  /** As `isFresh`: no part of it that a draft needs is missing or too old. */
  isUpToDate: boolean;
  /** As the measurer returns it; null when the term was not measured. */
  staleSince: Date | null;
};

/**
 * Looks terms up, and measures those that are unknown or too old within a time limit (`readLimit`). A store that
 * is down or slow does not fail the call: terms that could not be read are left out and counted. The daily run measures
 * them later.
 * @param terms normal forms, the most important first
 */
export async function probeTerms(
  deps: ProbeTermsDeps,
  storefront: Storefront,
  terms: readonly DraftTerm[],
  call: CallOptions,
): Promise<ProbedTerms> {
  const known = await findKnown(deps, storefront, terms);
  const probed = known.every(({ isUpToDate }) => isUpToDate)
    ? known
    : await withDeadline(
        call,
        { ...readLimit, error: new Error('the time is up'), sleep: deps.sleep },
        (signal) => measureAll(deps, storefront, known, { ...shortenDeadline(call, readLimit), signal }),
      );
  await requestRest(deps, storefront, probed);
  return summarize(probed, deps.now());
}

async function findKnown(
  deps: ProbeTermsDeps,
  storefront: Storefront,
  terms: readonly DraftTerm[],
): Promise<Probed[]> {
  const keywords = terms.map((term) => term.keyword);
  const known = await deps.terms.findSummaries(storefront, keywords);
  return terms.map(({ keyword, importance }) => {
    const term = known.get(keyword) ?? null;
    const isUpToDate = term !== null && isFresh(term, deps.now());
    return { keyword, importance, term, isFirst: false, isUpToDate, staleSince: null };
  });
}

/**
 * Returns the terms in their order. A term that could not be measured stays as it was and does not fail the call. After
 * several consecutive failures the store counts as down, and no further term is measured.
 */
async function measureAll(
  { measurer, now }: ProbeTermsDeps,
  storefront: Storefront,
  known: readonly Probed[],
  call: CallOptions & { signal: AbortSignal },
): Promise<Probed[]> {
  const failures = createFailureStreak();
  return mapLimited(known, termsAtOnce, async (probed) => {
    if (probed.isUpToDate || failures.isTripped() || call.signal.aborted) return probed;
    const need = { page: 'week', isUserWaiting: true } as const;
    const attemptNumber = failures.nextAttemptNumber();
    try {
      const measured = await measurer.measure(storefront, probed.keyword, need, call);
      const term = toTermSummary(measured.term);
      // The measurer returns an older page when the store cannot be read.
      const isUpToDate = term !== null && isFresh(term, now());
      if (!isUpToDate) failures.add(attemptNumber);
      return { ...probed, ...measured, term, isUpToDate };
    } catch (error) {
      if (call.signal.aborted) return probed;
      if (!isUpstreamFailure(error)) throw error;
      failures.add(attemptNumber);
      return probed;
    }
  });
}

/**
 * Requests the remaining terms for a week: the daily run measures them, so that a later call finds them. A draft costs nothing,
 * so the words of listings, for which audits wait, come first.
 */
async function requestRest(
  { terms, now }: ProbeTermsDeps,
  storefront: Storefront,
  probed: readonly Probed[],
): Promise<void> {
  const rest = probed.filter(({ isUpToDate }) => !isUpToDate);
  if (rest.length === 0) return;
  const at = now();
  const requests = rest.map(({ keyword, importance }) => {
    const lower: Importance = importance < importances.phrase ? importances.phrase : importance;
    return { keyword, importance: lower, isDaily: false };
  });
  await terms.requestMeasuring(storefront, requests, new Date(at.getTime() + weekMs), at);
}

/** Ignores suggestions: a draft can be scored without them, and the daily run reads them. */
function isFresh(term: TermSummary, now: Date): boolean {
  const isNew = (moment: Date | null) => moment !== null && !isOld(moment, now);
  return term.scoring_version === scoringVersion && isNew(term.read_at) && isNew(term.details_read_at);
}

function isOld(moment: Date, now: Date): boolean {
  return now.getTime() - moment.getTime() >= weekMs;
}

function summarize(terms: readonly Probed[], now: Date): ProbedTerms {
  const scores = new Map<string, TermScore>();
  for (const { keyword, term } of terms) if (term) scores.set(keyword, term.score);
  const isKnown = ({ term }: Probed) =>
    term !== null && (term.score.traffic !== null || term.score.search_status !== 'pending');
  const isProbed = ({ term }: Probed) => term !== null && isRead({ searchStatus: term.score.search_status });
  const probed = terms.filter(isProbed);
  const pending = terms.filter((term) => !isProbed(term));
  const stale = probed.flatMap((term) => staleReadings(term, now).map((moment) => moment.getTime()));
  return {
    scores,
    probedCount: probed.length,
    pending: pending.map(({ keyword }) => keyword),
    waitingCount: pending.filter(({ term }) => term !== null && term.read_at !== null).length,
    isBlank: terms.length > 0 && !terms.some(isKnown),
    partialCount: probed.filter(({ term }) => term?.score.is_partial).length,
    fetchedCount: probed.filter(({ isFirst }) => isFirst).length,
    staleSince: stale.length === 0 ? null : new Date(Math.min(...stale)),
  };
}

/** The times of the outdated readings in use. */
function staleReadings({ staleSince, term }: Probed, now: Date): Date[] {
  const old = [term?.read_at, term?.details_read_at].filter((moment) => moment != null && isOld(moment, now));
  return [staleSince, ...old].filter((moment) => moment != null);
}
