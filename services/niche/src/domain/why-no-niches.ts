import { createIsOnTopic, minSharedApps, type TopicContext } from './is-on-topic.ts';
import type { NicheTerm } from './niche-term.ts';

/**
 * Why there are no niches:
 * - `topic_page_short`: the store shows fewer than two apps for the topic, so no other term can share two with it
 * - `no_terms_read`: no term but the topic was read
 * - `no_related_terms`: none of the terms is about the topic, apart from itself
 * - `no_searched_terms`: people hardly search for the topic and the terms about it
 */
export type NoNichesReason = 'topic_page_short' | 'no_terms_read' | 'no_related_terms' | 'no_searched_terms';

/**
 * The first reason that applies when `findNiches` finds none.
 * @param terms all scored terms
 * @param leftOut the number of terms that have no score
 */
export function whyNoNiches(
  terms: readonly NicheTerm[],
  topicContext: TopicContext,
  { lang, leftOut }: { lang: string; leftOut: number },
): NoNichesReason {
  const others = terms.filter(({ keyword }) => keyword !== topicContext.topic);
  if (topicContext.results.length < minSharedApps) return 'topic_page_short';
  if (others.length === 0 && leftOut > 0) return 'no_terms_read';
  return others.some(createIsOnTopic(topicContext, lang)) ? 'no_searched_terms' : 'no_related_terms';
}
