import { type Storefront, storefrontKey } from '@shelfwise/facts/stores/storefront';
import { deleteBatch } from '@shelfwise/runtime/mongo/delete-batch';
import { retryUpsert } from '@shelfwise/runtime/mongo/retry-upsert';
import { type Connection, Schema } from 'mongoose';
import { analysisVersion, scoringVersion } from '../domain/scoring-version.ts';
import type { NoNichesReason } from '../domain/why-no-niches.ts';

/** What an analysis is about; shared by all accounts. */
export type Niche = {
  storefront: Storefront;
  /** normal form */
  topic: string;
};

export type AnalysisResult = {
  /** most opportunity first */
  clusters: StoredCluster[];
  /** number of keywords in all clusters */
  total_keywords: number;
  /** number of candidate terms found */
  candidates: number;
  /** how many candidates have no complete score, whatever the reason */
  left_out: number;
  /** how many store queries that look for candidates got no answer */
  unanswered: number;
  /** how many of `left_out` and `unanswered` together the store refused */
  refused: number;
  /** how many of `left_out` wait for a second look at their suggestions */
  waiting: number;
  /** why there are no clusters; null with clusters */
  no_clusters_reason: NoNichesReason | null;
  /** terms were compared with the first ten apps of the topic that scoring has read, because the page was not read */
  is_topic_page_unread: boolean;
  /** when the oldest result page of the clusters' keywords was read; null without clusters */
  oldest_read_at: Date | null;
  /** sample, app-store or google-play */
  source: string;
  /** a term was scored by an older release, as while copies are replaced */
  has_outdated_scores: boolean;
};

type StoredCluster = {
  name: string;
  app_concept: string;
  intent_type: string;
  /** 0 to 100, one decimal */
  opportunity_score: number;
  /** most traffic first */
  keywords: StoredKeyword[];
};

type StoredKeyword = {
  name: string;
  /** 0 to 100 */
  traffic_score: number;
  difficulty_score: number;
  /** When both were computed. */
  scored_at: Date | null;
};

export type StoredAnalysis = AnalysisResult &
  Storefront & {
    /** `nicheKey`: one document per niche, replaced by the next analysis */
    _id: string;
    /** unique over all analyses */
    analysis_id: number;
    topic: string;
    analyzed_at: Date;
    /** of the formulas; an older one is not served */
    scoring_version: number;
    /** of the rules of this service; an older one is not served either */
    analysis_version: number;
    /** served from the cache until then */
    fresh_until: Date;
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
    waiting: { type: Number, required: true },
    no_clusters_reason: { type: String, default: null },
    is_topic_page_unread: { type: Boolean, default: false },
    has_outdated_scores: { type: Boolean, default: false },
    oldest_read_at: { type: Date, default: null },
    source: { type: String, required: true },
    scoring_version: { type: Number, required: true },
    analysis_version: { type: Number, required: true },
    analyzed_at: { type: Date, required: true },
    fresh_until: { type: Date, required: true },
  },
  { versionKey: false, minimize: false },
).index({ analyzed_at: 1 });

const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;
/** How long an analysis is served from the cache. */
const freshMs = 7 * dayMs;
/** The same, when a retry may soon give a better analysis (`mayImprove`). */
const incompleteFreshMs = hourMs;
/** Older analyses are deleted. */
const retentionMs = 30 * dayMs;

export function nicheKey({ storefront, topic }: Niche): string {
  return `${storefrontKey(storefront)}:${topic}`;
}

export type AnalysisStore = ReturnType<typeof createAnalysisStore>;

/** The newest analysis of each niche. A document has about 120 bytes per keyword, 200 KB at most. */
export function createAnalysisStore(connection: Connection) {
  const analyses = connection.model('Analysis', schema, 'analyses');

  return {
    /** The analysis of a niche while it is fresh and of the current formulas, else null. Index: _id. */
    async findFresh(niche: Niche, now: Date): Promise<StoredAnalysis | null> {
      const stored = await analyses.findById(nicheKey(niche)).lean<StoredAnalysis>();
      if (!stored || isOutdated(stored)) return null;
      return now < stored.fresh_until ? stored : null;
    },

    /** The last analysis of a niche, however old and of whatever formulas; null: none is kept. Index: _id. */
    findNewest: (niche: Niche): Promise<StoredAnalysis | null> =>
      analyses.findById(nicheKey(niche)).lean<StoredAnalysis>().exec(),

    /** Replaces the analysis of a niche. Fresh for 7 days; for an hour if a retry may give a better one. Index: _id. */
    async save(niche: Niche, analysisId: number, result: AnalysisResult, at: Date): Promise<StoredAnalysis> {
      const { storefront, topic } = niche;
      const _id = nicheKey(niche);
      const content = {
        analysis_id: analysisId,
        ...storefront,
        topic,
        ...result,
        scoring_version: scoringVersion,
        analysis_version: analysisVersion,
        analyzed_at: at,
        fresh_until: new Date(at.getTime() + (mayImprove(result) ? incompleteFreshMs : freshMs)),
      };
      await retryUpsert(() => analyses.replaceOne({ _id }, content, { upsert: true }));
      return { _id, ...content };
    },

    /** Deletes up to 50 analyses that are older than 30 days. Index: analyzed_at. */
    sweep: (now: Date) =>
      deleteBatch(
        analyses,
        { analyzed_at: { $lt: new Date(now.getTime() - retentionMs) } },
        { analyzed_at: 1 },
      ),
  };
}

function isOutdated({ scoring_version: scoring, analysis_version: analysis }: StoredAnalysis): boolean {
  return scoring < scoringVersion || analysis < analysisVersion;
}

/** Whether the store refused something, terms wait for a second look, the topic's page is missing, or scores are outdated. */
function mayImprove({ refused, waiting, ...result }: AnalysisResult): boolean {
  return refused > 0 || waiting > 0 || result.is_topic_page_unread || result.has_outdated_scores;
}
