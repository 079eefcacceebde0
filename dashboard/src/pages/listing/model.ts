import type { Figure, Model } from '../../figure.ts';
import type { AppHead } from '../../page-data.ts';
import type { Timeline } from '../../timeline.ts';

/** On Google Play `subtitle` is the short description. */
export type FieldKey = 'title' | 'subtitle' | 'kw_field' | 'description';

export type WordStatus =
  | 'earning'
  | 'irrelevant'
  | 'already-used'
  | 'not-searched'
  | 'pending'
  | 'covered'
  | 'missing'
  | 'extra-reach';

export type Word = {
  name: string;
  status: WordStatus;
  /** what it counts in its field, in points of traffic */
  counts: Figure;
  traffic: Figure;
  difficulty: Figure;
};

export type ListingField = {
  key: FieldKey;
  /** as the store names it */
  label: string;
  /** `missing`: not known. The store does not publish a keywords field, and none is kept; others were not read */
  state: 'scored' | 'empty' | 'missing';
  /** as the store counts: UTF-16 units, a line break is one */
  length: Figure;
  limit: Figure;
  score: Figure;
  hint: string | null;
  /** its start */
  text: string | null;
  isCut: boolean;
  words: Word[];
};

/** What raised a flag: a number, a text or a list. */
export type Evidence = { name: string; value: Figure | string | string[] };

export type Flag = {
  code: string;
  severity: 'critical' | 'warning' | 'info';
  title: string;
  impact: string;
  fix: string;
  evidence: Evidence[];
};

export type WordToAdd = {
  name: string;
  /**
   * where it may be added; `text`: what is written there, in a keywords field only words that are new; `adds`: to the overall score, if
   * it is added there alone. What adds most comes first
   */
  places: { field: FieldKey; text: string; adds: Figure }[];
  source: 'titles' | 'description' | 'pages' | 'tracked';
  traffic: Figure;
  difficulty: Figure;
  /** the app's best rank for it; null: none is known */
  rank: Figure | null;
  /** in percent: of the first ten apps on its page, those of the app's genre */
  genreShare: Figure;
};

/** How far the words of name and subtitle are read. `nextLookAt`: when the rest is looked at again, if that is planned. */
export type AuditProgress = { words: Figure; read: Figure; nextLookAt: string | null };

export type ListingModel = Model<{
  app: AppHead;
  /** null: there is no audit yet, or it could not be read */
  auditedAt: string | null;
  /** what the page says of the audit: it did not come, is of an earlier listing or missing, leaves words out, is of an old reading */
  notes: ('no_answer' | 'pending' | 'partial' | 'stale')[];
  /** null: the audit is of the present listing */
  awaited: AuditProgress | null;
  /** when the store was first found not to list the app any more */
  unlistedSince: string | null;
  /** of the present listing, also while its audit is pending; empty: there was no answer */
  fields: ListingField[];
  /** null: there is no report; that of an earlier listing stays while the present one is pending */
  flags: Flag[] | null;
  /** what adds most comes first; null: none are asked for, or they are not known yet */
  wordsToAdd: WordToAdd[] | null;
  timeline: Timeline;
  /** the keywords field that the account keeps; null: the store has none, or it could not be read */
  keywordsField: { text: string | null; updatedAt: string | null; limit: Figure } | null;
}>;
