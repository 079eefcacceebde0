import { appConcept } from './app-concept.ts';
import { clusterTerms, prepareTerms } from './cluster-terms.ts';
import { type Intent, intentOf } from './intent.ts';
import { createIsOnTopic, type TopicContext } from './is-on-topic.ts';
import { keywordValue } from './keyword-value.ts';
import { mergeForms } from './merge-forms.ts';
import { compareTerms, compareText, type NicheContext, type NicheTerm } from './niche-term.ts';
import { opportunityOf } from './opportunity.ts';
import { splitLargeClusters } from './split-large-clusters.ts';

/** A cluster of a single term with less traffic is no niche. (docs/scores.md, niches) */
const minTraffic = 10;

/** Terms that lead to the same apps. */
export type NicheCluster = {
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
 * The niches among the terms of a topic, most opportunity first, ties in the order of their names. The order of the
 * terms does not matter. Left out are:
 * - terms that are not about the topic (`createIsOnTopic`)
 * - terms without searches, except the topic
 * - clusters of a single term with traffic below 10, even of the topic
 * Cost: n log n, apart from the comparisons of words in `clusterTerms`. (docs/scores.md, niches)
 * @param terms each keyword once
 * @param topicContext decides whether a term is about the topic
 */
export function findNiches(
  terms: readonly NicheTerm[],
  context: NicheContext,
  topicContext: TopicContext,
): NicheCluster[] {
  const isOnTopic = createIsOnTopic(topicContext, context.lang);
  const shown = terms.filter(
    (term) => (term.isSearched || term.keyword === topicContext.topic) && isOnTopic(term),
  );
  return mergeForms(clustersOf(shown, context.lang), context.lang)
    .filter(([first, ...others]) => others.length > 0 || (first?.traffic ?? 0) >= minTraffic)
    .map((members) => describeCluster(members, context))
    .sort((a, b) => b.opportunity_score - a.opportunity_score || compareText(a.name, b.name));
}

/** By the traffic of their first terms, highest first; so are the terms of each. */
function clustersOf(terms: readonly NicheTerm[], lang: string): NicheTerm[][] {
  const clusters = splitLargeClusters(clusterTerms(prepareTerms(terms, lang)));
  return clusters
    .map((members) => members.map(({ term }) => term))
    .sort(([a], [b]) => (a && b ? compareTerms(a, b) : 0));
}

/** @param members most traffic first */
function describeCluster(members: readonly NicheTerm[], context: NicheContext): NicheCluster {
  const intent = intentOf(members, context);
  return {
    name: members[0]?.keyword ?? '',
    app_concept: appConcept(members, intent, context),
    intent_type: intent,
    opportunity_score: opportunityOf(members.map(keywordValue)),
    keywords: members.map(({ keyword, traffic, difficulty }) => ({
      name: keyword,
      traffic_score: traffic,
      difficulty_score: difficulty,
    })),
  };
}
