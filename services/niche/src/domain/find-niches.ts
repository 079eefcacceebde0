import { appConcept } from './app-concept.ts';
import type { Around } from './around.ts';
import { createBelongsTo } from './belongs-to.ts';
import { clusterTerms, prepareTerms } from './cluster-terms.ts';
import { compareText } from './compare-terms.ts';
import { type Intent, intentOf } from './intent.ts';
import type { Market } from './market.ts';
import { mergeForms } from './merge-forms.ts';
import type { NicheTerm } from './niche-term.ts';
import { opportunityOf } from './opportunity.ts';

/** A term by itself with less traffic is no niche. (spec: scoring, niche analysis) */
const leastTraffic = 10;

/** Terms that lead to the same apps. */
export type FoundCluster = {
  /** the keyword with the most traffic */
  name: string;
  /** one English sentence: what could be built, and the gap that the leaders leave */
  app_concept: string;
  intent_type: Intent;
  /** 0 to 100, one decimal */
  opportunity_score: number;
  /** most traffic first, ties in the order of the normal form */
  keywords: { name: string; traffic_score: number; difficulty_score: number }[];
};

/**
 * The niches among the terms of a topic, most opportunity first, ties in the order of their names. Terms that are not
 * about the topic are left out (`createBelongsTo`), and so is a term by itself with traffic below 10, the topic too. The order of the terms does not matter. n log n but for the pairwise step
 * of `clusterTerms`. (spec: scoring, niche analysis)
 * @param terms each keyword once, with both scores
 * @param around what decides whether a term is about the topic
 */
export function findNiches(terms: readonly NicheTerm[], market: Market, around: Around): FoundCluster[] {
  const belongs = createBelongsTo(around, market.lang);
  const clusters = clusterTerms(prepareTerms(terms.filter(belongs), market.lang));
  return mergeForms(clusters, market.lang)
    .filter(([first, ...others]) => others.length > 0 || (first?.traffic ?? 0) >= leastTraffic)
    .map((members) => describe(members, market))
    .sort((a, b) => b.opportunity_score - a.opportunity_score || compareText(a.name, b.name));
}

/** @param members most traffic first */
function describe(members: readonly NicheTerm[], market: Market): FoundCluster {
  const intent = intentOf(members, market);
  return {
    name: members[0]?.keyword ?? '',
    app_concept: appConcept(members, intent, market),
    intent_type: intent,
    opportunity_score: opportunityOf(members),
    keywords: members.map(({ keyword, traffic, difficulty }) => ({
      name: keyword,
      traffic_score: traffic,
      difficulty_score: difficulty,
    })),
  };
}
