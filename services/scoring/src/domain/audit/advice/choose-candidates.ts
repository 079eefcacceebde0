import type { WordSource } from '../audit-input.ts';
import { termsIn } from '../words/listing-terms.ts';

/** A term that a listing may be advised to add. */
export type CandidateSource = { keyword: string; source: Exclude<WordSource, 'tracked'> };

/** The terms that are measured for the words to add. */
export type CandidateRequests = {
  /** UTC day since which they only became more */
  since: string;
  keywords: string[];
};

/** The terms that a listing might add; empty: none were found. */
export type Candidates = {
  /** Those that may be advised, in the order in which they were chosen. */
  sources: CandidateSource[];
  /** these, with their words and phrases */
  terms: string[];
};

/** Those that are measured cost store calls once a week. */
const maxRequests = 15;
/** Of these, so that what one account tracks leaves room for what all see: enough for one term of three words. */
const maxTrackedRequests = 5;
const maxCandidates = 30;

/** In this order the sources take turns: what an account asked for, then what is surest to be the app's business. */
const turns = ['tracked', 'description', 'titles', 'pages'] as const;
/** Which source a term shows if it has several: the page of a candidate is kept as soon as it is read. */
const shownFirst = ['titles', 'description', 'pages'] as const;

/**
 * Chooses the terms that a listing may be advised to add, at most 30. The sources take turns, the best of each first. A term is
 * chosen if all its words and phrases are known or will be measured. At most 15 are measured that nothing else needs. Tracked
 * terms take part only so that their words and phrases are measured, at most 5: they belong to accounts, and are never chosen.
 * @param found by source, the best first; in normal form
 * @param isMeasured whether something else needs the term: the texts of the listing, a basket
 * @param isKnown whether its scores are known and new enough
 * @param requested the terms that were chosen to be measured; they count although they are known
 */
export function chooseCandidates(
  found: Readonly<Record<(typeof turns)[number], readonly string[]>>,
  {
    lang,
    isMeasured,
    isKnown,
    requested,
  }: {
    lang: string;
    isMeasured: (keyword: string) => boolean;
    isKnown: (keyword: string) => boolean;
    requested: ReadonlySet<string>;
  },
): Candidates & { requests: string[] } {
  const requests = new Set<string>();
  let trackedRequests = 0;
  const members = shownFirst.map((source) => ({ source, keywords: new Set(found[source]) }));
  const sourceOf = (keyword: string) => members.find(({ keywords }) => keywords.has(keyword))?.source;
  const chosen = new Map<string, CandidateSource & { parts: string[] }>();
  const isFree = (part: string) =>
    isMeasured(part) || requests.has(part) || (isKnown(part) && !requested.has(part));
  for (const { keyword, source } of inTurns(found)) {
    if (chosen.has(keyword) || chosen.size === maxCandidates) continue;
    const parts = termsIn(keyword, lang);
    const costs = parts.filter((part) => !isFree(part));
    if (!parts.includes(keyword) || requests.size + costs.length > maxRequests) continue;
    if (source === 'tracked') {
      if (trackedRequests + costs.length > maxTrackedRequests) continue;
      trackedRequests += costs.length;
    } else chosen.set(keyword, { keyword, source: sourceOf(keyword) ?? source, parts });
    for (const part of costs) requests.add(part);
  }
  return {
    sources: [...chosen.values()].map(({ keyword, source }) => ({ keyword, source })),
    terms: [...new Set([...chosen.values()].flatMap(({ parts }) => parts))],
    requests: [...requests],
  };
}

function* inTurns(
  found: Readonly<Record<WordSource, readonly string[]>>,
): Generator<{ keyword: string; source: WordSource }> {
  const longest = Math.max(...turns.map((source) => found[source].length));
  for (let at = 0; at < longest; at++)
    for (const source of turns) {
      const keyword = found[source][at];
      if (keyword !== undefined) yield { keyword, source };
    }
}
