import type { Figure, Unknown } from './figure.ts';

/** What the account noted about a day of an app. */
export type Note = { id: string; day: string; text: string };

export type FieldName = 'title' | 'subtitle' | 'description' | 'version';

/** What a day's reading of a listing showed otherwise than the one before. */
export type ChangedListing = {
  day: string;
  fields: { name: FieldName; before: string; after: string; added: string[]; removed: string[] }[];
  /** false also when the icons were not compared */
  isOtherIcon: boolean;
  /** null: they did not change, or were not compared */
  screenshots: { added: Figure; removed: Figure } | null;
};

/** A change as an account sees it. */
export type ListingChange = ChangedListing & {
  id: string;
  appName: string;
  /** false: of a competitor */
  isOwn: boolean;
  /** the saved simulation of these texts, and the change of the overall score that it predicted */
  simulation: { id: string; predicted: Figure } | null;
  /** whether it is of the app itself, and seven days have passed */
  hasEffect: boolean;
};

/** Both with the latest day first. `missing`: why they could not be read, null: they were. */
export type Timeline = {
  notes: Note[];
  changes: ListingChange[];
  /** there are older changes */
  hasMore: boolean;
  missing: Record<'notes' | 'changes', Unknown | null>;
};

/** A line in a chart of an app. */
export type Mark = { day: string; kind: 'change' | 'note'; text: string };

/** Own changes and notes, since charts show the app itself. The latest first. */
export function marksOf(
  { notes, changes }: Pick<Timeline, 'notes' | 'changes'>,
  nameOf: (change: ListingChange) => string,
): Mark[] {
  const marks = [
    ...notes.map(({ day, text }): Mark => ({ day, kind: 'note', text })),
    ...changes
      .filter(({ isOwn }) => isOwn)
      .map((change): Mark => ({ day: change.day, kind: 'change', text: nameOf(change) })),
  ];
  return marks.sort((one, other) => (one.day < other.day ? 1 : -1));
}
