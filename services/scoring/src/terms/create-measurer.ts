import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { withDeadline } from '@shelfwise/runtime/concurrency/deadline';
import { createSingleflight } from '@shelfwise/runtime/concurrency/singleflight';
import { utcDay } from '@shelfwise/runtime/day';
import { blankReading } from '../domain/keyword/keyword-reading.ts';
import { scoringVersion } from '../domain/scoring-version.ts';
import { isPublicPageDue } from '../domain/term-schedule.ts';
import type { MeasuredTermStore } from '../stores/measured-term-store.ts';
import type { Term } from '../stores/term.ts';
import { termId } from '../stores/term-filters.ts';
import type { TermDocument } from '../stores/term-schema.ts';
import type { TermStore } from '../stores/term-store.ts';
import { isShowable, mustReadAgain } from './doubted-page.ts';
import type { Measured, MeasureNeed, Measurer } from './measurer.ts';
import { measuringLimit } from './measuring-limit.ts';
import { findMissingParts, isIncomplete, staleSinceOf } from './missing-parts.ts';
import { planNext } from './plan-next.ts';
import { createReadFreeChart } from './read-chart.ts';
import type { DetailsReader } from './read-details.ts';
import { readMissingParts } from './read-missing-parts.ts';
import { type RepublishScoresDeps, republishScores, type SaveScoresDeps, saveScores } from './save-scores.ts';
import type { ReadContext } from './store-reader.ts';

type TermNeed = { storefront: Storefront; keyword: string; need: MeasureNeed };

/**
 * A measurement stores what was read together with its event, then updates what depends on the scores, then schedules
 * the term. After a crash in between, the term becomes due within a minute, and its scores are published without
 * another store call.
 */
export function createMeasurer(
  deps: DetailsReader &
    SaveScoresDeps &
    RepublishScoresDeps & {
      measuredTerms: Pick<MeasuredTermStore, 'schedule'>;
      terms: Pick<TermStore, 'setUnproven'>;
      /** Called and awaited with each stored term, at least once. */
      onMeasured: (term: Term) => Promise<void>;
      /** 0 to 1 */
      random: () => number;
    },
): Measurer {
  const { terms, measuredTerms, onMeasured, now, random } = deps;
  const reader = { ...deps, readFreeChart: createReadFreeChart(deps) };
  const sharedMeasurings = createSingleflight<Measured, { deadlineMs: number }>(() => ({ deadlineMs: 0 }));

  async function measure({ storefront, keyword, need }: TermNeed, context: ReadContext): Promise<Measured> {
    const stored = await terms.find(storefront, keyword);
    const at = now();
    const known = stored?.reading ?? blankReading;
    const isFirst = known.page === null && known.suggestion === null;
    const missing = findMissingParts(known, need, at);
    const doubt = { isUserWaiting: need.isUserWaiting, now: at };
    const isPageMissing = missing.page || mustReadAgain(known.page, stored?.ranking ?? null, doubt);
    const isPublicDue = isPublicPageDue(stored ?? {}, at);
    // A page that was read today for another reason.
    const isShownNext =
      isPublicDue &&
      !isPageMissing &&
      isOfDay(known.page, at) &&
      isShowable(known.page, stored?.ranking ?? null);
    // How old the suggestions of a public page are must not show when another account had them read.
    const isSuggestionDue = (isShownNext || (isPublicDue && isPageMissing)) && !isOfDay(known.suggestion, at);
    const missingParts = {
      ...missing,
      page: isPageMissing,
      suggestion: missing.suggestion || isSuggestionDue,
    };
    if (stored && isCurrent(stored) && !isIncomplete(missingParts) && !isShownNext) {
      const isScheduled = await finish(stored, context.requestId);
      return { term: stored, isFirst, staleSince: null, isScheduled };
    }
    const read = await readMissingParts(
      reader,
      { storefront, keyword, reading: known },
      missingParts,
      context,
    );
    const { failure } = read;
    const isUnproven = failure?.isUnproven ? true : read.ranking ? false : null;
    // Scores of an older version are computed again even when nothing was read.
    const isChanged = read.isChanged || isShownNext || (stored?.score != null && !isCurrent(stored));
    const before = { storefront, keyword, stored };
    const term = isChanged
      ? await saveScores(deps, before, { ...read, isUnproven }, context.requestId)
      : stored;
    const isNewlyUnproven =
      isUnproven === true && !isChanged && term !== null && (await terms.setUnproven(term._id));
    // Audits count an unproven word otherwise than one that is not read yet.
    if (term && (isChanged || isNewlyUnproven)) await onMeasured(term);
    // A need for a page of the week is met by an older page, too, when no newer one can be read.
    const isFailed = failure !== null && (need.page === 'today' || read.reading.page === null);
    // The claim holder decides when to retry a failed measurement.
    const mustSchedule = term && (isChanged || stored?.claimed_by) && !(isFailed && stored?.claimed_by);
    const isScheduled = !mustSchedule || (await schedule(term, stored));
    if (isFailed) throw failure;
    if (!term) throw new Error('a measurement read nothing and reported no failure');
    const stillMissing = findMissingParts(read.reading, need, at);
    return { term, isFirst, staleSince: staleSinceOf(read.reading, stillMissing), isScheduled };
  }

  /** Finishes a measurement that crashed after its write or that had nothing to read. Returns as `schedule`. */
  async function finish(stored: TermDocument, requestId: string): Promise<boolean> {
    if (stored.has_unpublished_scores) {
      await republishScores(deps, stored, requestId);
      await onMeasured(stored);
    }
    const isDue = stored.due_at !== undefined && stored.due_at <= now();
    return !(stored.has_unpublished_scores || stored.claimed_by || isDue) || schedule(stored, stored);
  }

  /** Returns false when the term may have been requested meanwhile, and is not scheduled then. */
  async function schedule(term: Term, stored: TermDocument | null): Promise<boolean> {
    const before = stored ?? { _id: term._id, is_tracked: false, failures: 0, request_count: 0 };
    const next = planNext(before, term, { now: now(), random });
    return !next || measuredTerms.schedule(before, next);
  }

  return {
    measure(storefront, keyword, need, call) {
      // Users share neither a background measurement, whose calls have a low priority, nor that of another caller, whose
      // calls may wait longer for their turn. store-fetch merges equal calls.
      const { callerId } = call;
      const key = JSON.stringify([need.page, need.isUserWaiting, callerId, termId(storefront, keyword)]);
      return withDeadline(call, measuringLimit(), (joined) =>
        sharedMeasurings.join(
          key,
          joined,
          (signal, shared) =>
            measure(
              { storefront, keyword, need },
              {
                requestId: call.requestId,
                callerId,
                isUserWaiting: need.isUserWaiting,
                signal,
                deadline: () => new Date(shared.deadlineMs),
              },
            ),
          (shared) => {
            shared.deadlineMs = Math.max(shared.deadlineMs, call.deadline.getTime());
          },
        ),
      );
    },
  };
}

function isOfDay(part: { read_at: Date } | null, at: Date): boolean {
  return part !== null && utcDay(part.read_at) === utcDay(at);
}

function isCurrent({ score }: Term): boolean {
  return score?.scoring_version === scoringVersion;
}
