import type { Around } from './around.ts';
import type { NicheTerm } from './niche-term.ts';
import { wordSetOf } from './word-set.ts';

/** So many of a term's first ten results among the first of the topic show that both are about the same. */
const leastShared = 2;

/**
 * Whether a term is about the topic: the store suggests it, it has a word of the topic (in CJK two neighbouring
 * characters), or two of its first ten results are among the first 20 of the topic.
 * @param lang BCP 47
 */
export function createBelongsTo(
  { topic, suggested, topicApps }: Around,
  lang: string,
): (term: NicheTerm) => boolean {
  const words = wordSetOf(topic, lang);
  const apps = new Set(topicApps);
  return ({ keyword, top }) =>
    suggested.has(keyword) ||
    [...wordSetOf(keyword, lang)].some((word) => words.has(word)) ||
    top.slice(0, 10).filter(({ app_id }) => apps.has(app_id)).length >= leastShared;
}
