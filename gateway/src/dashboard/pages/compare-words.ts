import { known } from '@shelfwise/dashboard/figure';
import type { WordChange, WordComparison, WordPlace } from '@shelfwise/dashboard/pages/simulator/model';
import type { ReportField } from './report-parts.ts';

/** The words of a listing or a run, and the version of the formulas of its scores. */
export type WordSource = {
  scoringVersion: number;
  /** null: there is no report */
  fields: readonly (Pick<ReportField, 'key'> & { words?: ReportField['words'] | null })[] | null;
};

type PlacedWord = WordPlace & { counts: number | null };

/**
 * The words that count on one side only, those that count most first. What a word counts on both sides is no difference of the
 * drafts: the pages of its results may have changed between two runs. Words of different versions are never compared.
 * @param before null: there is no audit
 */
export function compareWords(before: WordSource | null, after: WordSource): WordComparison {
  if (before === null) return 'no_audit';
  if (before.scoringVersion !== after.scoringVersion) return 'other_version';
  const wordsBefore = placeWords(before);
  const wordsAfter = placeWords(after);
  if (wordsBefore === null || wordsAfter === null) return 'no_words';
  return [...new Set([...wordsBefore.keys(), ...wordsAfter.keys()])]
    .flatMap((name) => compareWord(name, wordsBefore.get(name) ?? null, wordsAfter.get(name) ?? null))
    .sort((a, b) => b.points - a.points || (a.change.name < b.change.name ? -1 : 1))
    .map(({ change }) => change);
}

function compareWord(
  name: string,
  before: PlacedWord | null,
  after: PlacedWord | null,
): { change: WordChange; points: number }[] {
  const countsBefore = before?.counts ?? 0;
  const countsAfter = after?.counts ?? 0;
  // A word that is not read on one side is neither won nor lost.
  const isRead = before?.counts !== null && after?.counts !== null;
  if (!isRead || countsBefore > 0 === countsAfter > 0) return [];
  const points = Math.max(countsBefore, countsAfter);
  const kind = countsAfter > 0 ? 'won' : 'lost';
  const change = {
    name,
    kind,
    before: toPlace(before),
    after: toPlace(after),
    counts: known(points),
  } as const;
  return [{ change, points }];
}

/** Each word where it counts, else where it is first. Null: they were not saved. */
function placeWords({ fields }: WordSource): Map<string, PlacedWord> | null {
  if (fields === null) return null;
  const placed = new Map<string, PlacedWord>();
  for (const { key: field, words } of fields) {
    if (!words) return null;
    for (const { name, status, counts } of words)
      if (!placed.has(name) || (counts ?? 0) > (placed.get(name)?.counts ?? 0))
        placed.set(name, { field, status, counts });
  }
  return placed;
}

function toPlace(word: PlacedWord | null): WordPlace | null {
  return word && { field: word.field, status: word.status };
}
