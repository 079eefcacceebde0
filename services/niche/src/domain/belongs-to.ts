import { evidence } from '@shelfwise/facts/text/evidence';
import { wordsOf } from '@shelfwise/facts/text/words';
import type { Around } from './around.ts';
import type { NicheTerm } from './niche-term.ts';

/** From this evidence on a term holds all words of the topic. */
const heldFrom = 0.85;
/** What an app counts that the topic leads to: twice as much among its first ten, which are surer to be about it. */
const points = { first: 2, next: 1 } as const;
/** The least share of all points that can be had. A single word (`tracker`, `games`) leads to much else. */
const leastShare = { phrase: 0.25, word: 0.5 } as const;
/** The app from whose title a term comes shares its result anyway. */
const leastShared = 2;

/**
 * Whether a term is about the topic: it is the topic, the store suggests it, it holds all words of the topic, or its first ten results show
 * it. Each of them that is among the topic's first ten counts 2, among the ten after them 1; a quarter of what can be had is
 * enough, half of it for a single word, and two apps at least. A brand that is not suggested never is: it is the name of one
 * of the apps from whose titles terms are taken.
 * @param lang BCP 47
 */
export function createBelongsTo(
  { topic, suggested, topicApps }: Around,
  lang: string,
): (term: NicheTerm) => boolean {
  const worth = new Map(topicApps.map((app, at) => [app, at < 10 ? points.first : points.next]));
  const sharesEnough = ({ keyword, top }: NicheTerm) => {
    const first = top.slice(0, 10);
    const shared = first.flatMap(({ app_id: appId }) => worth.get(appId) ?? []);
    const most = sumOf([...worth.values()].slice(0, first.length));
    const share = leastShare[wordsOf(keyword, lang).length > 1 ? 'phrase' : 'word'];
    return shared.length >= leastShared && sumOf(shared) >= share * most;
  };
  const holdsTopic = ({ keyword }: NicheTerm) => evidence(topic, keyword, lang) >= heldFrom;
  return (term) =>
    term.keyword === topic ||
    suggested.has(term.keyword) ||
    (!term.isNavigational && (holdsTopic(term) || sharesEnough(term)));
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
