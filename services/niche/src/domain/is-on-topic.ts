import { createIsNamed, createNamesTopic } from './names-topic.ts';
import type { NicheTerm } from './niche-term.ts';

/** The store's view of a topic. */
export type TopicContext = {
  /** normal form */
  topic: string;
  /** The store's suggestions, in normal form. */
  suggested: ReadonlySet<string>;
  /** The topic's result page, in the store's order; the first 50 count. */
  results: readonly { app_id: string; title: string }[];
};

/** Apps of the topic's result page that count. (docs/scores.md, niches) */
export const topicDepth = 50;
/** How many of a term's first ten apps must be on the topic's page: one proves nothing. */
export const minSharedApps = 2;

/**
 * Returns whether a term is about the topic. The topic always is. Any other term needs two of its first ten apps among
 * the first 50 of the topic, and one of these:
 * - It names the topic (`createNamesTopic`).
 * - More than half of its first ten apps are among these and name the topic.
 * - At least two of them do, and the term is suggested or in the title of an app that names the topic.
 * A store also fills pages with apps for one word of the topic: `police scanner` leads to `pdf scanner`. A brand must
 * also be suggested. (docs/scores.md, niches)
 * @param lang BCP 47
 */
export function createIsOnTopic(
  { topic, suggested, results }: TopicContext,
  lang: string,
): (term: Pick<NicheTerm, 'keyword' | 'isNavigational' | 'top'>) => boolean {
  const first = results.slice(0, topicDepth);
  const titles = first.map(({ title }) => title);
  const namesTopic = createNamesTopic(topic, titles, lang);
  const naming = first.filter(({ title }) => namesTopic(title));
  const idsOf = (apps: TopicContext['results']) => new Set(apps.map((app) => app.app_id));
  const [onPage, namingIds] = [idsOf(first), idsOf(naming)];
  const namingTitles = naming.map(({ title }) => title);
  const isAppliedToTopic = (keyword: string) =>
    suggested.has(keyword) || namingTitles.some(createIsNamed(keyword, lang));
  return ({ keyword, isNavigational, top }) => {
    if (keyword === topic) return true;
    if (isNavigational && !suggested.has(keyword)) return false;
    const apps = [...new Set(top.slice(0, 10).map((app) => app.app_id))];
    const countOn = (page: ReadonlySet<string>) => apps.filter((app) => page.has(app)).length;
    if (countOn(onPage) < minSharedApps) return false;
    const shared = countOn(namingIds);
    return (
      namesTopic(keyword) ||
      (shared >= minSharedApps && (shared > apps.length / 2 || isAppliedToTopic(keyword)))
    );
  };
}
