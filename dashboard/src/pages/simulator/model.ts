import type { Figure, Model } from '../../figure.ts';
import type { AppHead } from '../../page-data.ts';
import type { FieldKey, Flag, WordStatus } from '../listing/model.ts';

/** By field; null: as in the live listing (of a draft), or not known (of a listing). */
export type Texts = Record<FieldKey, string | null>;

export type Axis = {
  key: 'global' | 'coverage' | 'targeting' | 'appeal';
  score: Figure;
  /** the app's own score at the time of the run */
  before: Figure;
  /** `score` against it */
  change: Figure;
  /** what the change can become once the pending phrases are read; null: none is pending */
  bounds: { min: Figure; max: Figure } | 'nothing_pending' | 'words_not_read';
};

/** Where a word is, and what it is there. */
export type WordPlace = { field: FieldKey; status: WordStatus };

/** A word that counts on one side only. */
export type WordChange = {
  name: string;
  kind: 'won' | 'lost';
  /** null: it is not there */
  before: WordPlace | null;
  after: WordPlace | null;
  /** what it counts on the side on which it counts */
  counts: Figure;
};

export type Term = {
  name: string;
  field: FieldKey;
  verdict: 'reachable' | 'ambitious' | 'out-of-reach';
  reason: 'rival-brand' | 'not-your-business' | 'too-hard' | 'held' | null;
  traffic: Figure;
  difficulty: Figure;
  /** in points of traffic; 0 where another form counts */
  won: Figure;
  lost: Figure;
  /** the form of the term that counts in its place; null: none */
  sameAs: string | null;
};

/** A saved run of the simulator or of the API. */
export type Run = {
  id: string;
  at: string;
  scoringVersion: string;
  axes: Axis[];
  /** whether the listing that it is compared with has an empty keywords field, because that of the app is not known */
  isAgainstEmptyField: boolean;
  texts: Texts;
  /** against the live listing of today */
  words: WordComparison;
  terms: Term[];
  flags: Flag[];
};

/** The words that differ, or why they cannot be compared. */
export type WordComparison = WordChange[] | 'other_version' | 'no_words' | 'no_audit';

/** A row of the history. */
export type RunRow = {
  id: string;
  at: string;
  title: string | null;
  isEdited: boolean;
  runs: Figure;
  score: Figure;
  change: Figure;
  scoringVersion: string;
};

export type SimulatorModel = Model<{
  app: AppHead;
  fields: { key: FieldKey; label: string; limit: Figure; live: string | null }[];
  /** what was typed last; null: nothing is kept */
  draft: { texts: Texts; keptAt: string } | null;
  /** of this app, the last first; null: they could not be read */
  runs: RunRow[] | null;
  /** whether older runs of the account are not listed */
  hasMoreRuns: boolean;
  /** the run that is shown */
  run: Run | null;
  /** the run that it is compared with, and what the words of `run` are against those of `other` */
  comparison: { other: Run; words: WordComparison } | null;
}>;
