import { evidence } from '@shelfwise/facts/text/evidence';
import { wordsOf } from '@shelfwise/facts/text/words';
import type { NicheTerm } from './niche-term.ts';

/** The store's view of a topic. */
export type TopicContext = {
  /** normal form */
  topic: string;
  /** The store's suggestions, in normal form. */
  suggested: ReadonlySet<string>;
  /** Store identifiers of the first 20 apps on the topic's result page, in the store's order. */
  topicApps: readonly string[];
};

/** From this evidence on, a term contains all words of the topic. */
const minEvidence = 0.85;
/**
 * Points of an app on the topic's result page. The first ten count twice because they are more surely about the
 * topic.
 */
const points = { first: 2, next: 1 } as const;
/**
 * Minimum share of all possible points. A single word (`tracker`, `games`) also leads to much else, so it needs more.
 */
const minShare = { phrase: 0.25, word: 0.5 } as const;
/** A term may come from the title of one of the topic's apps. It leads to that app anyway: one app proves nothing. */
const minSharedApps = 2;

/**
 * Returns whether a term is about the topic: it is the topic, the store suggests it, it contains all words of the
 * topic, or its results show it. For the last, each of its first ten apps earns 2 points if it is among the topic's
 * first ten, and 1 point among the next ten. A quarter of all possible points is enough, half for a single word; at
 * least two apps must be shared. A brand that is neither the topic nor suggested comes from the title of an app and is
 * not about the topic.
 * @param lang BCP 47
 */
export function createIsOnTopic(
  { topic, suggested, topicApps }: TopicContext,
  lang: string,
): (term: NicheTerm) => boolean {
  const pointsOf = new Map(topicApps.map((app, index) => [app, index < 10 ? points.first : points.next]));
  const hasEnoughPoints = ({ keyword, top }: NicheTerm) => {
    const first = top.slice(0, 10);
    const shared = first.flatMap((app) => pointsOf.get(app.app_id) ?? []);
    const maxPoints = sumOf([...pointsOf.values()].slice(0, first.length));
    const share = minShare[wordsOf(keyword, lang).length > 1 ? 'phrase' : 'word'];
    return shared.length >= minSharedApps && sumOf(shared) >= share * maxPoints;
  };
  const containsTopic = ({ keyword }: NicheTerm) => evidence(topic, keyword, lang) >= minEvidence;
  return (term) =>
    term.keyword === topic ||
    suggested.has(term.keyword) ||
    (!term.isNavigational && (containsTopic(term) || hasEnoughPoints(term)));
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
