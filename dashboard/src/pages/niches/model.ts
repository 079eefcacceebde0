import type { Figure, Model } from '../../figure.ts';

/** A topic in a storefront, as the address of the page names it. */
export type Topic = { topic: string; store: 'ITUNES' | 'GPLAY'; country: string; lang: string };

export type Cluster = {
  /** its most searched keyword */
  name: string;
  /** an app that would serve it, and the gap that the leading apps leave, in a sentence */
  concept: string;
  /** what the people who search for it want to do */
  intent: string;
  opportunity: Figure;
  /** most traffic first */
  keywords: { name: string; traffic: Figure; difficulty: Figure }[];
};

export type NichesModel = Model<{
  /** Analyses that the account has received, newest first. */
  past: (Topic & {
    id: string;
    clusters: Figure;
    keywords: Figure;
    best: Figure;
    analyzedAt: string | null;
  })[];
  /** false: they could not be read */
  isPastKnown: boolean;
  /** Whether there are more than `past`. */
  hasMore: boolean;
  /** the topic in the address */
  asked: Topic | null;
  /** how far the analysis of the asked topic is; null: none is under way for this account */
  progress: {
    isRunning: boolean;
    phase: string | null;
    ahead: Figure;
    candidates: Figure;
    read: Figure;
  } | null;
  /** what is kept of the asked topic; null: nothing that this account has received */
  analysis: {
    analyzedAt: string;
    keywords: Figure;
    leftOut: Figure;
    warnings: string[];
    /** most opportunity first */
    clusters: Cluster[];
  } | null;
  /** why nothing is known of the asked topic */
  problem: string | null;
}>;
