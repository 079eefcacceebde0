import { randomUUID } from 'node:crypto';
import { type Store, storeNames } from '@shelfwise/facts/stores/store';
import { AppError } from '@shelfwise/runtime/errors';
import type { JobSource } from '@shelfwise/runtime/jobs/job-source';
import { retryAt } from '@shelfwise/runtime/jobs/retry-delay';
import { type Importance, importances } from '../domain/importance.ts';
import { isAhead } from '../domain/next-measuring.ts';
import type { DueTerm, DueTermStore, TermClaim } from '../stores/due-term-store.ts';
import { lackingOf } from './lacking.ts';
import type { Measurer } from './measurer.ts';
import { pageNeedOf } from './plan-next.ts';

/** A term, claimed by this copy. `claim` is a text of this claim alone. */
export type TermJob = { term: DueTerm; claim: string };

/**
 * One measuring: its page and then the details, each with the wait for its turn; some looks at suggestions meanwhile.
 * Shorter than its claim.
 */
const measureMs = 45_000;
/** How long somebody who began to track a keyword is taken to watch for its scores. */
const awaitedMs = 10 * 60_000;
/** Copies that look at the same moment want the same terms; whoever gets none looks again, so many times. */
const triesToClaim = 5;

/**
 * Two kinds of terms, with a worker each, so that neither waits for the other: the keywords that accounts track, and the
 * words of listings. Words get their turn at the store behind everybody else's, 25 s later or not at all; four at once
 * leave nearly all of the daily run's calls to the snapshots of tracked keywords.
 */
const kindsOfTerms = {
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

export type KindOfTerms = keyof typeof kindsOfTerms;

/** The terms of one kind in one store, as they come due: most important first, then oldest. */
export function createTermJobs(deps: {
  store: Store;
  kind: KindOfTerms;
  dueTerms: DueTermStore;
  measurer: Measurer;
  now: () => Date;
  /** 0 to 1 */
  random: () => number;
}): JobSource<TermJob> {
  const { store, kind, dueTerms, measurer, now, random } = deps;
  const { name, maxConcurrency, mostImportantFirst } = kindsOfTerms[kind];

  /** What has failed comes after all else, so that terms which always fail keep none of the others. */
  async function choose(count: number, at: Date, isTrial: boolean): Promise<DueTerm[]> {
    const chosen: DueTerm[] = [];
    for (const importance of mostImportantFirst) {
      const wanted = isTrial ? count : count - chosen.length;
      if (wanted > 0) chosen.push(...(await dueTerms.listDueOf(store, importance, at, wanted)));
    }
    if (isTrial) chosen.sort(byAge);
    if (chosen.length >= count) return chosen.slice(0, count);
    const ids = new Set(chosen.map(({ _id }) => _id));
    const listed = mostImportantFirst.map((importance) => dueTerms.listDue(store, importance, at, count));
    const others = (await Promise.all(listed)).flat().filter(({ _id }) => !ids.has(_id));
    return [...chosen, ...others.sort(byAge)].slice(0, count);
  }

  /** The claim is ours, and lasts for a measuring from now on, and somebody wants the term or was to be told of it. */
  async function isWorthReading({ term, claim }: TermJob, found: TermClaim | null) {
    if (found?.claimed_by !== claim) return false;
    const isWanted =
      found.is_tracked || isAhead(found.wanted_until, now()) || isAhead(found.daily_until, now());
    if (!isWanted && !found.is_untold) {
      await dueTerms.forget(term._id, claim, found.asks);
      return false;
    }
    return dueTerms.prolong(term._id, claim, now());
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
        const ids = chosen.map(({ _id }) => _id);
        const mine = await dueTerms.claim(ids, at, claim);
        const jobs = chosen.filter(({ _id }) => mine.has(_id)).map((term) => ({ term, claim }));
        if (jobs.length > 0) return jobs;
      }
      return [];
    },

    async run(job, call) {
      const { _id, keyword, ...of } = job.term;
      const found = await dueTerms.findClaim(_id);
      if (!found || !(await isWorthReading(job, found))) return 'skipped';
      const storefront = { store, country: of.country, lang: of.lang };
      const at = now();
      const need = { page: pageNeedOf(found, at), isAwaited: isAwaited(found, at) };
      const deadline = new Date(Date.now() + measureMs);
      const { term } = await measurer.measure(storefront, keyword, need, { ...call, deadline });
      // An older page stands in and the term is planned anew; that the store cannot be read the worker must know.
      if (lackingOf(term.reading, need, at).page)
        throw new AppError('STORE_FETCH_FAILED', 'Result pages cannot be read.');
      return term.score && term.score.scored_at >= at ? 'done' : 'skipped';
    },

    async fail({ term, claim }, isToBlame) {
      const failures = term.failures + (isToBlame ? 1 : 0);
      const dueAt = retryAt(now(), isToBlame ? failures : 1, random);
      await dueTerms.release(term._id, claim, dueAt, failures);
    },

    requeue: (jobs) =>
      dueTerms.releaseMany(jobs.map(({ term, claim }) => ({ id: term._id, claim, dueAt: term.due_at }))),
  };
}

/**
 * Somebody has just begun to track it and sees no score yet. That scores are made again every day nobody waits for, nor
 * for those of keywords that have been tracked for long, as after an outage: they would take the turns of people.
 */
function isAwaited({ importance, score, tracked_at: trackedAt }: TermClaim, at: Date): boolean {
  const isNew = trackedAt != null && at.getTime() - trackedAt.getTime() < awaitedMs;
  return importance === importances.tracked && isNew && (score?.difficulty == null || score.traffic == null);
}

function byAge(one: DueTerm, other: DueTerm): number {
  return one.due_at.getTime() - other.due_at.getTime();
}
