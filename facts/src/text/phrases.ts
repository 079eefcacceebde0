import { normalizeKeyword } from './keyword.ts';
import { normalizeText } from './normalize-text.ts';
import { type Segment, segmentsOf } from './segments.ts';
import { stopWordsOf } from './stop-words.ts';

/** What may separate two words of one phrase: spaces within a line, or a hyphen or apostrophe that joins them. */
const joiner = /^([^\S\n\r\u2028\u2029]*|[-\u2010\u2011'])$/u;

/**
 * The searchable words and phrases of a text: 1 to `max` consecutive words, in normal form and with the spelling of
 * the text (`t-shirt design`), each listed once. They are ordered by their start, the shorter first. A phrase does
 * not cross punctuation or a line break. It does not start or end with a stop word, with one exception: names often
 * stand at the start of a part between punctuation marks. A phrase there may start with a stop word (`to do list`),
 * and end with one if it is the whole part (`what to do`). A lone stop word is not a phrase.
 * @param lang BCP 47
 */
export function phrasesOf(text: string, lang: string, max: number): string[] {
  const normal = normalizeText(text, lang);
  const stopWords = stopWordsOf(lang);
  const phrases = new Set<string>();
  for (const run of runsOf(normal, segmentsOf(normal, lang))) {
    run.forEach((first, at) => {
      for (const [more, last] of run.slice(at, at + max).entries()) {
        if (isPhrase(run, at, at + more, stopWords))
          phrases.add(normalizeKeyword(normal.slice(first.start, last.end)));
      }
    });
  }
  return [...phrases];
}

/** @param from index of the first word in the run; `to` is the index of the last word */
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
