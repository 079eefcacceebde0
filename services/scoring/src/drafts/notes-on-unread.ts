import { haveSameUnproven } from '../domain/audit/axes/axis-scores.ts';
import type { Readiness } from '../domain/audit/axes/readiness.ts';
import { nameSome } from './name-some.ts';
import type { ProbedTerms } from './probe-terms.ts';

/** Says what a simulation leaves out because the draft's words and phrases could not be read. */
export function notesOnPending(
  {
    probedCount,
    pending,
    waitingCount,
    partialCount,
  }: Pick<ProbedTerms, 'probedCount' | 'pending' | 'waitingCount' | 'partialCount'>,
  { is_shown: isShown }: Readiness,
): string[] {
  const count = pending.length;
  if (count === 0)
    return isShown || partialCount > 0
      ? []
      : [
          'The difficulty of no searched word or phrase of the draft is known yet, so it has no scores. Run it again in a minute.',
        ];
  const pronoun = count === 1 ? 'it' : 'them';
  const consequence = isShown
    ? `the scores leave ${pronoun} out`
    : 'too little is known of the draft, so it has no scores';
  // A term waits for its second look ten minutes after the first one.
  const when = waitingCount > 0 ? '15 minutes' : 'a minute';
  return [
    `${count} of ${probedCount + count} words and phrases ${reasonOf(count, waitingCount)} (${listOf(pending)}): ${consequence}. Run it again in ${when}.`,
  ];
}

function reasonOf(count: number, waitingCount: number): string {
  if (waitingCount === 0) return 'could not be read from the store in time';
  if (waitingCount < count) return 'are not fully read yet';
  return `${count === 1 ? 'waits' : 'wait'} for a second look, because the store showed nothing at the first`;
}

/** Says that the scores leave out words, or that there are none, because the store's suggestions are not known yet. */
export function notesOnPartial(
  { probedCount, partialCount }: Pick<ProbedTerms, 'probedCount' | 'partialCount'>,
  { is_shown: isShown }: Readiness,
): string[] {
  if (partialCount === 0) return [];
  const consequence = isShown
    ? `the scores leave ${partialCount === 1 ? 'it' : 'them'} out`
    : 'too little is known of the draft, so it has no scores';
  return [
    `The store’s suggestions are not known yet for ${partialCount} of ${probedCount} words and phrases, so their traffic is partial: ${consequence}. Run it again in 15 minutes.`,
  ];
}

/** Says why a draft is not compared with the app's listing although its own words are known, or what is left out of that. */
export function notesOnBaseline(draft: Readiness, app: Readiness): string[] {
  const unread = app.unread.length === 0 ? '' : ` (${listOf(app.unread)})`;
  if (!app.is_shown)
    return [
      `Too few words of the app’s own listing have been read, so there is no score to compare with yet${unread}. Run it again in a minute.`,
    ];
  if (!app.are_words_read)
    return [
      `Some words of the app’s own listing have not been read yet${unread}, so the scores are not compared. Run it again in a minute.`,
    ];
  if (!draft.is_shown) return [];
  if (!draft.are_words_read)
    return [
      'Some words of the draft have not been read yet, so its scores are not compared with those of the app.',
    ];
  if (!haveSameUnproven(draft, app))
    return [
      'The store shows no results for words of the draft or of the app’s own listing, which is not believed yet, so the scores are not compared. Run it again in 15 minutes.',
    ];
  const isHalfDescribed = draft.has_description !== app.has_description;
  const description =
    'Most words of the description have been read on one side only, so coverage and global are not compared.';
  return [...(isHalfDescribed ? [description] : []), ...notesOnPhrases(draft, app, unread)];
}

/** Says that phrases are left out of the delta. Those of the draft have been named before. */
function notesOnPhrases(draft: Readiness, app: Readiness, unread: string): string[] {
  if (!draft.has_pending_phrases && !app.has_pending_phrases) return [];
  const whose = draft.has_pending_phrases ? 'the draft' : `the app’s own listing${unread}`;
  return [
    `Phrases of ${whose} have not been fully read yet, so delta leaves them out: delta_bounds says what they could change.`,
  ];
}

/** `not read: “a”, “b” and 3 more`. */
function listOf(terms: readonly string[]): string {
  return `not read: ${nameSome(terms)}`;
}
