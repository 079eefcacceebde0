import type { Storefront } from '@shelfwise/facts/storefront';
import { oneBatch } from '@shelfwise/runtime/mongo-queries/one-batch';
import type { TermScore } from '../domain/audit/audit-input.ts';
import type { StoredTerm } from './stored-term.ts';
import { type TermStore, termId } from './term-store.ts';

/** What a draft needs of a term: its score and the age of what that was made from. */
export type WeighedTerm = {
  score: TermScore;
  scoring_version: number;
  /** Of its result page. Null: not read. */
  read_at: Date | null;
  details_read_at: Date | null;
};

/** About 100 KB of answer. */
const termsPerQuery = 400;

const weighedFields = {
  keyword: 1,
  'score.traffic': 1,
  'score.difficulty': 1,
  'score.standing': 1,
  'score.brand': 1,
  'score.scoring_version': 1,
  'reading.page.read_at': 1,
  'reading.page.details_read_at': 1,
} as const;

/** Terms without the pages that they were scored from, which are nearly all of them. */
export function createWeighedTermStore({ model: terms }: Pick<TermStore, 'model'>) {
  return {
    /** By keyword; one without a score is not in it. Some 200 bytes each, by `_id`. */
    async findMany(storefront: Storefront, keywords: readonly string[]): Promise<Map<string, WeighedTerm>> {
      const found = new Map<string, WeighedTerm>();
      for (let start = 0; start < keywords.length; start += termsPerQuery) {
        const ids = keywords
          .slice(start, start + termsPerQuery)
          .map((keyword) => termId(storefront, keyword));
        const rows = await terms
          .find({ _id: { $in: ids } })
          .select(weighedFields)
          .batchSize(oneBatch(ids.length))
          .lean<Pick<StoredTerm, 'keyword' | 'score' | 'reading'>[]>();
        for (const row of rows) {
          const weighed = toWeighedTerm(row);
          if (weighed) found.set(row.keyword, weighed);
        }
      }
      return found;
    },
  };
}

/** Null as long as it has no score. */
export function toWeighedTerm({ score, reading }: Pick<StoredTerm, 'score' | 'reading'>): WeighedTerm | null {
  if (!score) return null;
  const { scoring_version } = score;
  // A projection leaves out what holds nothing.
  const { read_at = null, details_read_at = null } = reading.page ?? {};
  return { score, scoring_version, read_at, details_read_at };
}
