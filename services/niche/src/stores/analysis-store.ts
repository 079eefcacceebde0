import { type Storefront, storefrontKey } from '@shelfwise/facts/storefront';
import type { NicheCluster } from '@shelfwise/proto/niche/v1/niche';
import { retryUpsert } from '@shelfwise/runtime/mongo-queries/retry-upsert';
import { type Connection, Schema } from 'mongoose';
import { sweepOld } from './sweep-old.ts';

/** What an analysis is of; for all accounts. */
export type Niche = {
  storefront: Storefront;
  /** normal form */
  topic: string;
};

/** What an analysis has come to. */
export type NicheFinding = {
  /** most opportunity first */
  clusters: NicheCluster[];
  /** keywords of all clusters */
  total_keywords: number;
  /** terms that were found */
  candidates: number;
  /** those of them whose scores are not known */
  left_out: number;
  /** what was asked to find them and not answered */
  unanswered: number;
  /** how much of all that was left out and not answered the store, not the time, kept from being read */
  refused: number;
  /** of the result pages of the clusters' keywords; null without clusters */
  oldest_read_at: Date | null;
  /** sample, app-store or google-play */
  source: string;
  /** 0 when no term was scored */
  scoring_version: number;
};

export type StoredAnalysis = NicheFinding &
  Storefront & {
    /** `nicheKey`: one document per niche, replaced by the next analysis */
    _id: string;
    /** tells the analyses of one niche apart */
    analysis_id: number;
    topic: string;
    analyzed_at: Date;
    /** Until then it answers for everybody. */
    kept_until: Date;
  };

const schema = new Schema<StoredAnalysis>(
  {
    _id: { type: String, required: true },
    analysis_id: { type: Number, required: true },
    store: { type: String, required: true },
    country: { type: String, required: true },
    lang: { type: String, required: true },
    topic: { type: String, required: true },
    clusters: Schema.Types.Mixed,
    total_keywords: { type: Number, required: true },
    candidates: { type: Number, required: true },
    left_out: { type: Number, required: true },
    unanswered: { type: Number, required: true },
    refused: { type: Number, required: true },
    oldest_read_at: { type: Date, default: null },
    source: { type: String, required: true },
    scoring_version: { type: Number, required: true },
    analyzed_at: { type: Date, required: true },
    kept_until: { type: Date, required: true },
  },
  { versionKey: false, minimize: false },
).index({ analyzed_at: 1 });

const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;
/** An analysis answers for so long. */
const freshMs = 7 * dayMs;
/** One that a store had kept something from: soon there may be a better one. */
const hinderedMs = hourMs;
/** Then its document is deleted. */
const deletedMs = 30 * dayMs;

export function nicheKey({ storefront, topic }: Niche): string {
  return `${storefrontKey(storefront)}:${topic}`;
}

export type AnalysisStore = ReturnType<typeof createAnalysisStore>;

/** The newest analysis of each niche: some 100 bytes per keyword, 200 KB at most. */
export function createAnalysisStore(connection: Connection) {
  const analyses = connection.model('Analysis', schema, 'analyses');

  return {
    /** The analysis of a niche, as long as it is kept for everybody. By `_id`. */
    async findFresh(niche: Niche, now: Date): Promise<StoredAnalysis | null> {
      const kept = await analyses.findById(nicheKey(niche)).lean<StoredAnalysis>();
      return kept && now < kept.kept_until ? kept : null;
    },

    /** Replaces what is kept of the niche: for 7 days, or an hour when the store had kept anything from it. By `_id`. */
    async save(niche: Niche, analysisId: number, finding: NicheFinding, at: Date): Promise<StoredAnalysis> {
      const { storefront, topic } = niche;
      const _id = nicheKey(niche);
      const keptUntil = new Date(at.getTime() + (finding.refused > 0 ? hinderedMs : freshMs));
      const of = { analysis_id: analysisId, ...storefront, topic };
      const content = { ...of, ...finding, analyzed_at: at, kept_until: keptUntil };
      await retryUpsert(() => analyses.replaceOne({ _id }, content, { upsert: true }));
      return { _id, ...content };
    },

    /** Deletes some of those that have not been renewed for 30 days. Index: analyzed_at. */
    sweep: (now: Date) =>
      sweepOld(connection, 'analyses', 'analyzed_at', new Date(now.getTime() - deletedMs)),
  };
}
