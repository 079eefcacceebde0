import { isRead } from '../../keyword/search-status.ts';
import { isAimed } from '../audit-field.ts';
import type { ReadListing } from '../read-listing.ts';
import type { AimedTerm } from './aimed-terms.ts';
import { pendingPhrases } from './pending-phrases.ts';
import { areEnoughRead } from './read-share.ts';
import { isGraded } from './targeting.ts';
import { isOwnWord } from './word-table.ts';

/** How much of what an audit depends on was read. Stored with the audit, so it has the names of stored fields. */
export type Readiness = {
  /** Whether the scores may be shown: what is left to read changes them little. */
  is_shown: boolean;
  /** Whether every word and phrase of the name, subtitle and keywords field is read, or its empty page is not believed yet. */
  is_aim_read: boolean;
  /** As `is_aim_read`, for the words alone: what a pending phrase could change is bounded, what a word could is not. */
  are_words_read: boolean;
  /** Whether a phrase of these fields is pending, also one whose empty page is not believed yet. */
  has_pending_phrases: boolean;
  /** Those that are not, in their order, 20 at most. */
  unread: string[];
  /** The words of name and subtitle that decide `is_shown`. Absent: stored before it was recorded. */
  awaited?: { count: number; unread: string[] };
  /**
   * Those words of these fields, with their field, whose empty page is not believed yet. An audit does not wait for them, but is
   * compared only with one that leaves the same words out.
   */
  unproven_words: string[];
  /** Whether Google Play's long description is in the coverage score. */
  has_description: boolean;
};

const maxUnread = 20;

/**
 * An audit is shown once 80 % of the words of name and subtitle are read. It also waits while no term is graded although
 * one is searched or unread: targeting would be 0 only because nothing is known. A word whose empty page is not believed yet
 * is pending, but the audit does not wait for it: that may take two days. The long description does not count:
 * reading its words takes hours, and it enters coverage later.
 */
export function readinessOf({ fields, aimed }: Pick<ReadListing, 'fields' | 'aimed'>): Readiness {
  const phrases = new Set(pendingPhrases({ fields, aimed }));
  const shortTexts = fields.filter(({ key }) => key === 'title' || key === 'subtitle');
  const words = new Map(
    shortTexts.flatMap((field) =>
      field.words.filter((word) => isOwnWord(word) && !word.isUnproven).map((word) => [word.name, word]),
    ),
  );
  const isTargetingKnown =
    aimed.some(isGraded) || aimed.every(({ searchStatus }) => searchStatus === 'unsearched');
  const unread = [...words.values()].filter((word) => !isRead(word)).map(({ name }) => name);
  return {
    is_shown: areEnoughRead(words.size, unread.length) && isTargetingKnown,
    awaited: { count: words.size, unread },
    is_aim_read: aimed.every(isSettled),
    are_words_read: aimed.every((term) => isSettled(term) || phrases.has(term)),
    has_pending_phrases: phrases.size > 0,
    unread: aimed
      .filter((term) => !isSettled(term))
      .slice(0, maxUnread)
      .map(({ name }) => name),
    unproven_words: aimed
      .filter((term) => !isRead(term) && term.is_unproven && !phrases.has(term))
      .map(({ field, name }) => `${field}: ${name}`),
    has_description: fields.some((field) => field.isIndexed && !isAimed(field) && field.score !== null),
  };
}

/** Whether nothing waits for the term: it is read, or the store shows no results for it, which is not believed yet. */
function isSettled(term: AimedTerm): boolean {
  return isRead(term) || term.is_unproven === true;
}
