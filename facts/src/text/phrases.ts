import { normalizeKeyword } from './keyword.ts';
import { normalizeText } from './normalize-text.ts';
import { type Segment, segmentsOf } from './segments.ts';
import { stopWordsOf } from './stop-words.ts';

/** What may stand between two words of one phrase: blanks of one line, or a hyphen or apostrophe that joins them. */
const joint = /^([^\S\n\r\u2028\u2029]*|[-\u2010\u2011'])$/u;

/**
 * The searchable words and phrases of a text: 1 to `max` consecutive words, never across punctuation or lines, in
 * normal form and as they are written there (`t-shirt design`), each once, in the order in which they begin, the
 * shorter first. None begins or ends with a stop word, but those at the start of a piece of text between
 * punctuation, where names stand: they may begin with one (`to do list`), and end with one if they are the whole piece
 * (`what to do`). A stop word by itself is none.
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

/** @param from the place of its first word in the run, `to` that of its last one */
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
    const isJoined = previous !== undefined && joint.test(text.slice(previous.end, segment.start));
    if (isJoined) runs.at(-1)?.push(segment);
    else runs.push([segment]);
    previous = segment;
  }
  return runs;
}
