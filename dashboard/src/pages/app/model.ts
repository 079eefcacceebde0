import type { Figure, Model, Unknown } from '../../figure.ts';
import type { AppHead } from '../../page-data.ts';
import type { Timeline } from '../../timeline.ts';
import type { AuditProgress } from '../listing/model.ts';

export type Mover = {
  keywordId: string;
  keyword: string;
  status: 'up' | 'down' | 'same' | 'entered' | 'left';
  before: Figure;
  now: Figure;
  change: Figure;
  fromDay: string;
  toDay: string;
};

/** A keyword that brings the app most. `change`: places gained in the period of the movements; `status` says what has no number. */
export type TopKeyword = {
  keywordId: string;
  keyword: string;
  traffic: Figure;
  rank: Figure;
  change: Figure;
  status: Mover['status'] | null;
};

export type AppModel = Model<{
  app: AppHead;
  /** the stored audit; its scores are unknown until enough words are read */
  health: {
    global: Figure;
    coverage: Figure;
    targeting: Figure;
    appeal: Figure;
    /** the overall score without the kept keywords field, as in the list of apps; null: none is kept */
    withoutField: Figure | null;
    /** ISO 8601; null: there is no audit yet, or it could not be read */
    computedAt: string | null;
  };
  /** null: the audit is of the present listing */
  awaited: AuditProgress | null;
  /** by day, oldest first */
  visibility: { day: string; score: Figure }[];
  /** keywords by where the app ranked, on the last day that is known; null: none yet */
  distribution: { day: string; parts: { label: string; count: Figure }[] } | null;
  /** `rows`: those that moved most of `total`; `missing`: why there are none, null: they were read */
  movers: { days: '1' | '7' | '30'; rows: Mover[]; total: Figure; unread: Figure; missing: Unknown | null };
  /** of the keywords for which the app ranks 10 or better, those with the most traffic; null: `movers.missing` says why */
  top: TopKeyword[] | null;
  timeline: Timeline;
  /** null: there is no report */
  flags: { code: string; severity: 'critical' | 'warning' | 'info'; title: string; fix: string }[] | null;
  /** why a part could not be read; null: it was */
  missing: Record<'audit' | 'visibility' | 'distribution', Unknown | null>;
}>;
