import { randomUUID } from 'node:crypto';
import { type Store, storeNames } from '@shelfwise/facts/stores/store';
import { AppError } from '@shelfwise/runtime/errors';
import type { JobSource } from '@shelfwise/runtime/jobs/job-source';
import { retryAt } from '@shelfwise/runtime/jobs/retry-delay';
import { type Importance, importances, isAhead } from '../domain/term-schedule.ts';
import type { ClaimedTerm, DueTerm, DueTermStore } from '../stores/due-term-store.ts';
import type { Measurer } from './measurer.ts';
import { findMissingParts } from './missing-parts.ts';
import { pageNeedOf } from './plan-next.ts';

/** A term that this copy has claimed. `claim` is the unique id of the claim, which may cover several terms. */
export type TermJob = { term: DueTerm; claim: string };

/**
 * The time of one measurement: the page and then the details, each with the wait for a call slot, and some suggestion
 * probes at the same time. Shorter than its claim.
 */
const measureMs = 45_000;
/** A keyword counts as new for this long; new keywords are scored first. */
const newKeywordMs = 10 * 60_000;
/**
 * Copies that choose at the same time choose the same terms. A copy that could claim none of them chooses again, this
 * many times in all.
 */
const triesToClaim = 5;

/**
 * Two kinds of terms, each with its own worker so that neither waits for the other: the keywords that accounts track,
 * and the words of listings. Calls for words get a call slot last, up to 25 s later or not at all. Four words at a
 * time leave nearly all calls of the daily run to the snapshots of tracked keywords.
 */
const termKinds = {
  tracked: { name: 'keywords to score', maxConcurrency: 16, mostImportantFirst: [importances.tracked] },
  words: {
    name: 'words of listings to score',
    maxConcurrency: 4,
    mostImportantFirst: [importances.indexed, importances.described],
  },
} as const satisfies Record<
  string,
  { name: string; maxConcurrency: number; mostImportantFirst: readonly Importance[] }
>;

export type TermKind = keyof typeof termKinds;

/** The due terms of one kind in one store: most important first, then oldest. */
export function createTermJobs(deps: {
  store: Store;
  kind: TermKind;
  dueTerms: Omit<DueTermStore, 'countDue'>;
  measurer: Measurer;
  now: () => Date;
  /** 0 to 1 */
  random: () => number;
}): JobSource<TermJob> {
  const { store, kind, dueTerms, measurer, now, random } = deps;
  const { name, maxConcurrency, mostImportantFirst } = termKinds[kind];

  /**
   * The most important terms first; a trial takes those that have been due longest, of any importance. Terms that have
   * failed come last, so that terms that always fail do not delay others.
   */
  async function choose(count: number, at: Date, isTrial: boolean): Promise<DueTerm[]> {
    const chosen: DueTerm[] = [];
    for (const importance of mostImportantFirst) {
      const limit = isTrial ? count : count - chosen.length;
      if (limit > 0) chosen.push(...(await dueTerms.listDueWithoutFailures(store, importance, at, limit)));
    }
    if (isTrial) chosen.sort(byAge);
    if (chosen.length >= count) return chosen.slice(0, count);
    const ids = new Set(chosen.map((term) => term._id));
    const listed = mostImportantFirst.map((importance) => dueTerms.listDue(store, importance, at, count));
    const remaining = (await Promise.all(listed)).flat().filter(({ _id }) => !ids.has(_id));
    return [...chosen, ...remaining.sort(byAge)].slice(0, count);
  }

  /**
   * Whether the claim is still valid and the term is still requested or has unpublished scores. Extends the claim for
   * a measurement; unschedules a term that is no longer needed.
   */
  async function isStillDue({ term, claim }: TermJob, current: ClaimedTerm): Promise<boolean> {
    if (current.claimed_by !== claim) return false;
    const isRequested =
      current.is_tracked || isAhead(current.requested_until, now()) || isAhead(current.daily_until, now());
    if (!isRequested && !current.has_unpublished_scores) {
      await dueTerms.unschedule(term._id, claim, current.request_count);
      return false;
    }
    return dueTerms.extend(term._id, claim, now());
  }

  return {
    name: `${storeNames[store]} ${name}`,
    maxConcurrency,

    async claim(count, isTrial) {
      for (let tries = 0; tries < triesToClaim; tries++) {
        const at = now();
        const chosen = await choose(count, at, isTrial);
        if (chosen.length === 0) return [];
        const claim = randomUUID();
        const ids = chosen.map((term) => term._id);
        const claimed = await dueTerms.claim(ids, at, claim);
        const jobs = chosen.filter((term) => claimed.has(term._id)).map((term) => ({ term, claim }));
        if (jobs.length > 0) return jobs;
      }
      return [];
    },

    async run(job, call) {
      const { _id, country, lang, keyword } = job.term;
      const current = await dueTerms.findClaim(_id);
      if (!current || !(await isStillDue(job, current))) return 'skipped';
      const storefront = { store, country, lang };
      const at = now();
      const need = { page: pageNeedOf(current, at), isUserWaiting: isUserWaiting(current, at) };
      const deadline = new Date(Date.now() + measureMs);
      const { term } = await measurer.measure(storefront, keyword, need, { ...call, deadline });
      // The measurer used an older page and rescheduled the term; the worker must learn that the store cannot be
      // read.
      if (findMissingParts(term.reading, need, at).page)
        throw new AppError('STORE_FETCH_FAILED', 'Result pages cannot be read.');
      return term.score && term.score.scored_at >= at ? 'done' : 'skipped';
    },

    async fail({ term, claim }, isToBlame) {
      const failures = term.failures + (isToBlame ? 1 : 0);
      const dueAt = retryAt(now(), isToBlame ? failures : 1, random);
      await dueTerms.release(term._id, claim, dueAt, failures);
    },

    requeue: (jobs) =>
      dueTerms.requeue(jobs.map(({ term, claim }) => ({ id: term._id, claim, dueAt: term.due_at }))),
  };
}

/**
 * Whether an account has just started to track the term and sees no score yet. No user waits for the daily
 * measurement, or for keywords that have been tracked for long, as after an outage: their calls would delay those of
 * users.
 */
function isUserWaiting({ importance, score, tracked_at: trackedAt }: ClaimedTerm, at: Date): boolean {
  const isNew = trackedAt != null && at.getTime() - trackedAt.getTime() < newKeywordMs;
  return importance === importances.tracked && isNew && (score?.difficulty == null || score.traffic == null);
}

function byAge(a: DueTerm, b: DueTerm): number {
  return a.due_at.getTime() - b.due_at.getTime();
}
