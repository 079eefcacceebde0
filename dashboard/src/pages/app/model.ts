import type { Figure, Model } from '../../figure.ts';
import type { AppHead } from '../../page-data.ts';

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

export type AppModel = Model<{
  app: AppHead;
  /** the stored audit; its scores are unknown until enough words are read */
  health: { global: Figure; coverage: Figure; targeting: Figure; appeal: Figure; computedAt: string | null };
  /** by day, oldest first */
  visibility: { day: string; score: Figure }[];
  /** keywords by where the app ranked, on the last day that is known; null: none yet */
  distribution: { day: string; parts: { label: string; count: Figure }[] } | null;
  movers: { days: '1' | '7' | '30'; rows: Mover[]; unread: Figure };
  flags: { code: string; severity: 'critical' | 'warning' | 'info'; title: string; fix: string }[];
}>;
