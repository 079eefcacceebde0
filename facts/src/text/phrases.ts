import { normalizeKeyword } from './keyword.ts';
import { normalizeText } from './normalize-text.ts';
import { type Segment, segmentsOf } from './segments.ts';
import { stopWordsOf } from './stop-words.ts';

/** What may stand between two words of a phrase: spaces within a line, a hyphen, an apostrophe, nothing (`写真加工`). */
const joiner = /^([^\S\n\r\u2028\u2029]*|[-\u2010\u2011'])$/u;

/**
 * The searchable phrases of a text: one or more consecutive words, each phrase once, in the order of their first word,
 * the shorter first. They are in the normal form of keywords; hyphens and apostrophes stay (`t-shirt design`).
 *
 * A phrase does not cross punctuation or a line break: it is part of one run, the words between two such boundaries. It
 * does not start or end with a stop word, except at the start of a run, where app names often stand:
 * - several words may start with one there (`to do list`)
 * - the whole run may end with one (`what to do`)
 * A stop word alone is never a phrase.
 * @param lang BCP 47
 * @param max the maximum number of words of a phrase
 */
export function phrasesOf(text: string, lang: string, max: number): string[] {
  const normal = normalizeText(text, lang);
  const stopWords = stopWordsOf(lang);
  const phrases = new Set<string>();
  for (const run of runsOf(normal, segmentsOf(normal, lang))) {
    run.forEach((first, from) => {
      for (const [offset, last] of run.slice(from, from + max).entries()) {
        if (isPhrase(run, from, from + offset, stopWords))
          phrases.add(normalizeKeyword(normal.slice(first.start, last.end)));
      }
    });
  }
  return [...phrases];
}

/** Whether the words `from` to `to` of a run (indexes, both included) are a phrase. */
function isPhrase(
  run: readonly Segment[],
  from: number,
  to: number,
  stopWords: ReadonlySet<string>,
): boolean {
  const isStop = (at: number) => stopWords.has(run[at]?.word ?? '');
  if (!isStop(from) && !isStop(to)) return true;
  if (from > 0 || to === 0) return false;
  return !isStop(to) || to === run.length - 1;
}

/** Splits the words of a text at punctuation and line breaks. */
function runsOf(text: string, segments: readonly Segment[]): Segment[][] {
  const runs: Segment[][] = [];
  let previous: Segment | undefined;
  for (const segment of segments) {
    const isJoined = previous !== undefined && joiner.test(text.slice(previous.end, segment.start));
    if (isJoined) runs.at(-1)?.push(segment);
    else runs.push([segment]);
    previous = segment;
  }
  return runs;
}
