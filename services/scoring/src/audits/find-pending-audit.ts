import type { Storefront } from '@shelfwise/facts/stores/storefront';
import type { PendingAudit } from '@shelfwise/proto/scoring/v1/scoring';
import type { FieldEntry, WordEntry } from '../domain/audit/aso-report.ts';
import type { StoredAudit } from '../stores/audit-store.ts';
import type { DueTermStore } from '../stores/due-term-store.ts';

export type PendingAuditDeps = {
  dueTerms: Pick<DueTermStore, 'findNextLook'>;
  now: () => Date;
};

/**
 * What is known of a listing whose audit may not be shown yet: its fields without scores, how many of its words are read, and
 * when the store is asked again, if that is planned. One query, and only while the audit is pending.
 */
export async function findPendingAudit(
  { dueTerms, now }: PendingAuditDeps,
  { report, readiness }: Pick<StoredAudit, 'report' | 'readiness'>,
  storefront: Storefront,
  includeWords: boolean,
): Promise<PendingAudit> {
  const { count, unread } = readiness.awaited ?? { count: null, unread: [] };
  return {
    words: count,
    words_read: count === null ? null : count - unread.length,
    fields: report.fields.map((field) => withoutScores(field, includeWords)),
    next_look_at: unread.length > 0 ? await dueTerms.findNextLook(storefront, unread, now()) : null,
  };
}

/** A hint may follow from words that are read next. */
function withoutScores(field: FieldEntry, includeWords: boolean): FieldEntry {
  return { ...field, score: null, hint: null, words: includeWords ? field.words.map(withoutVerdict) : [] };
}

/** What a word counts can still rise with every page that is read: only how much it is searched is known. */
function withoutVerdict(word: WordEntry): WordEntry {
  return { ...word, counts: null, status: word.status === 'irrelevant' ? 'pending' : word.status };
}
