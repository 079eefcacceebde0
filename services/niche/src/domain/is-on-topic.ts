import { evidence } from '@shelfwise/facts/text/evidence';
import { wordsOf } from '@shelfwise/facts/text/words';
import type { NicheTerm } from './niche-term.ts';

/** What the store shows for a topic. */
export type TopicContext = {
  /** normal form */
  topic: string;
  /** What the store suggests, in normal form. */
  suggested: ReadonlySet<string>;
  /** Store identifiers of the first 20 apps of the topic's result page, in the store's order. */
  topicApps: readonly string[];
};

/** From this evidence on a term contains all words of the topic. */
const minEvidence = 0.85;
/** The points of an app on the topic's result page: twice as much among its first ten, which are surer to be about it. */
const points = { first: 2, next: 1 } as const;
/** Minimum share of all possible points. A single word (`tracker`, `games`) leads to much else. */
const minShare = { phrase: 0.25, word: 0.5 } as const;
/** The app whose title a term comes from is among its results anyway. */
const minSharedApps = 2;

/**
 * Whether a term is about the topic: it is the topic, the store suggests it, it contains all words of the topic, or its first ten
 * results show it. Each of them that is among the topic's first ten counts 2 points, among the ten after them 1; a quarter
 * of all possible points is enough, half of them for a single word, and two apps at least. A brand that is not suggested never is: it is the name of one
 * of the apps from whose titles terms are taken.
 * @param lang BCP 47
 */
export function createIsOnTopic(
  { topic, suggested, topicApps }: TopicContext,
  lang: string,
): (term: NicheTerm) => boolean {
  const pointsOf = new Map(topicApps.map((app, at) => [app, at < 10 ? points.first : points.next]));
  const hasEnoughPoints = ({ keyword, top }: NicheTerm) => {
    const first = top.slice(0, 10);
    const shared = first.flatMap((app) => pointsOf.get(app.app_id) ?? []);
    const most = sumOf([...pointsOf.values()].slice(0, first.length));
    const share = minShare[wordsOf(keyword, lang).length > 1 ? 'phrase' : 'word'];
    return shared.length >= minSharedApps && sumOf(shared) >= share * most;
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
