import { type Store, storeNames } from '@shelfwise/facts/stores/store';
import { AppError } from '@shelfwise/runtime/errors';
import type { JobSource } from '@shelfwise/runtime/jobs/job-source';
import { type Importance, importances, isAhead } from '../domain/term-schedule.ts';
import {
  type ClaimedTerm,
  type CurrentTerm,
  claimMs,
  type DueTerm,
  type DueTermStore,
} from '../stores/due-term-store.ts';
import type { Measurer } from './measurer.ts';
import { findMissingParts } from './missing-parts.ts';
import { pageNeedOf } from './plan-next.ts';

/**
 * The time of one measurement: the page, then the details, each with the wait for a call slot. Suggestions are probed at the
 * same time. Shorter than its claim.
 */
const measureMs = 45_000;
/** Time reserved for the writes of a measurement. */
const saveMs = 5_000;
/** A keyword counts as new for this long, and so do the words of a new listing; they are scored first. */
const newKeywordMs = 10 * 60_000;

/**
 * Tracked keywords, with the words for which the first audit of a listing waits; and words of listings. Each kind has its own
 * worker, so that neither waits for the other. Calls for words get a call slot last, up to 25 s later or not at all. Four words
 * at a time leave nearly all calls of the daily run to the snapshots of tracked keywords.
 */
const termKinds = {
  tracked: { name: 'keywords to score', maxConcurrency: 32, mostImportantFirst: [importances.tracked] },
  words: {
    name: 'words of listings to score',
    maxConcurrency: 4,
    mostImportantFirst: [importances.indexed, importances.phrase, importances.described],
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
  dueTerms: Pick<DueTermStore, 'queue' | 'findCurrent'>;
  measurer: Measurer;
  now: () => Date;
  /** 0 to 1 */
  random: () => number;
}): JobSource<ClaimedTerm> {
  const { store, kind, dueTerms, measurer, now, random } = deps;
  const { queue } = dueTerms;
  const { name, maxConcurrency, mostImportantFirst } = termKinds[kind];
  const scopes = mostImportantFirst.map((importance) => ({ store, importance }));

  const claimEnd = () => new Date(now().getTime() + claimMs);

  /**
   * The most important terms first; a trial takes those that have been due longest, of any importance. Terms that have
   * failed come last, so that terms that always fail do not delay others.
   */
  async function choose(count: number, isTrial: boolean): Promise<DueTerm[]> {
    const at = now();
    const chosen: DueTerm[] = [];
    const failed: DueTerm[] = [];
    for (const importance of mostImportantFirst) {
      const limit = isTrial ? count : count - chosen.length;
      if (limit <= 0) break;
      const oldest = await queue.listDue({ store, importance }, at, limit);
      const others = oldest.filter(({ failures }) => failures === 0);
      failed.push(...oldest.filter((term) => !others.includes(term)));
      // Those that have failed may have pushed others out.
      const isCut = oldest.length === limit && others.length < limit;
      chosen.push(...(isCut ? await queue.listDue({ store, failures: 0, importance }, at, limit) : others));
    }
    if (isTrial) chosen.sort(byAge);
    // One that was measured, or became less important, between two reads was found by both.
    const found = new Map<string, DueTerm>();
    for (const term of [...chosen, ...failed.sort(byAge)])
      if (!found.has(term._id)) found.set(term._id, term);
    return [...found.values()].slice(0, count);
  }

  /**
   * Whether the term is still requested or has unpublished scores. Extends a claim that is too short for a measurement;
   * drops a term that is no longer needed. False as well when the claim is lost.
   */
  async function isStillNeeded(term: ClaimedTerm, current: CurrentTerm): Promise<boolean> {
    const isRequested =
      current.is_tracked || isAhead(current.requested_until, now()) || isAhead(current.daily_until, now());
    if (isRequested || current.has_unpublished_scores) {
      const isTooShort = term.expiresAt.getTime() < now().getTime() + measureMs + saveMs;
      return !isTooShort || queue.extend(term, claimEnd());
    }
    // Unless it is requested again right now.
    const where = { request_count: current.request_count };
    await queue.drop(term, { where, set: { importance: importances.described, failures: 0 } });
    return false;
  }

  return {
    name: `${storeNames[store]} ${name}`,
    maxConcurrency,
    isAwaited: true,

    claim: (count, isTrial) => queue.claim(() => choose(count, isTrial), claimEnd()),

    partsOf: (term) => [term],

    nextDueAt: () => queue.nextDueAt(scopes),

    readBacklog: () => queue.readBacklog(scopes, now()),

    async run(claimed, call) {
      const { country, lang, keyword } = claimed;
      const current = await dueTerms.findCurrent(claimed);
      if (!current || !(await isStillNeeded(claimed, current))) return 'skipped';
      const storefront = { store, country, lang };
      const at = now();
      const need = { page: pageNeedOf(current, at), isUserWaiting: isUserWaiting(current, at) };
      const deadline = new Date(Date.now() + measureMs);
      const { term, isScheduled } = await measurer.measure(storefront, keyword, need, { ...call, deadline });
      // The measurer used an older page and rescheduled the term; the worker must learn that the store cannot be
      // read.
      if (findMissingParts(term.reading, need, at).page)
        throw new AppError('STORE_FETCH_FAILED', 'Result pages cannot be read.');
      // Its next look plans the term. Otherwise a claim that is still held would have to expire.
      if (!isScheduled) await queue.requeue([{ ...claimed, due_at: now() }]);
      return term.score && term.score.scored_at >= at ? 'done' : 'skipped';
    },

    async fail(term, isToBlame) {
      await queue.fail(term, isToBlame, { at: now(), random });
    },

    requeue: (terms) => queue.requeue(terms),
  };
}

/**
 * Whether an account has just started to track the term, or a listing whose first audit waits for it, and sees no score yet. No
 * user waits for the daily measurement, or for keywords that have long been tracked. Their calls would delay those of users.
 */
function isUserWaiting(
  { importance, score, tracked_at: trackedAt, awaited_at: awaitedAt }: CurrentTerm,
  at: Date,
): boolean {
  const isNew = [trackedAt, awaitedAt].some(
    (since) => since != null && at.getTime() - since.getTime() < newKeywordMs,
  );
  return importance === importances.tracked && isNew && (score?.difficulty == null || score.traffic == null);
}

function byAge(a: DueTerm, b: DueTerm): number {
  return a.due_at.getTime() - b.due_at.getTime();
}
