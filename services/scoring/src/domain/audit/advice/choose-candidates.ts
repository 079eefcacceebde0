import type { WordSource } from '../audit-input.ts';
import { termsIn } from '../words/listing-terms.ts';

/** A term that a listing may be advised to add. */
export type CandidateSource = { keyword: string; source: Exclude<WordSource, 'tracked'> };

/** The terms that are measured for the words to add. */
export type CandidateRequests = {
  /** UTC day since which they only became more */
  since: string;
  keywords: string[];
  /** Those of tracked terms, which tell something about accounts; absent: none, or they are among `keywords`. */
  tracked?: string[];
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
/** In addition: enough for one term of three words. */
const maxTrackedRequests = 5;
const maxCandidates = 30;

/** In this order the sources take turns: what is surest to be the app's business first. */
const turns = ['description', 'titles', 'pages'] as const;
/** Which source a term shows if it has several: the page of a candidate is kept as soon as it is read. */
const shownFirst = ['titles', 'description', 'pages'] as const;

/** What is known of words and phrases. */
export type Knowledge = {
  /** something else needs the term */
  isMeasured: (keyword: string) => boolean;
  /** its scores are known and new enough */
  isKnown: (keyword: string) => boolean;
  /** the terms that were chosen to be measured; they count although they are known */
  requested: ReadonlySet<string>;
};

/**
 * Chooses the terms that a listing may be advised to add, at most 30. The sources take turns, the best of each first. A term is
 * chosen if all its words and phrases are known or will be measured. At most 15 are measured that nothing else needs.
 *
 * All accounts see what is chosen, so it follows from what is public alone: a word that is known only because an account has it
 * measured counts as unknown.
 * @param found by source, the best first; in normal form
 */
export function chooseCandidates(
  found: Readonly<Record<(typeof turns)[number], readonly string[]>>,
  lang: string,
  known: Knowledge,
): Candidates & { requests: string[] } {
  const requests = new Set<string>();
  const members = shownFirst.map((source) => ({ source, keywords: new Set(found[source]) }));
  const sourceOf = (keyword: string) => members.find(({ keywords }) => keywords.has(keyword))?.source;
  const chosen = new Map<string, CandidateSource & { parts: string[] }>();
  for (const { keyword, source } of inTurns(found)) {
    if (chosen.has(keyword) || chosen.size === maxCandidates) continue;
    const parts = termsIn(keyword, lang);
    const costs = parts.filter((part) => !requests.has(part) && !isFree(part, known));
    if (!parts.includes(keyword) || requests.size + costs.length > maxRequests) continue;
    chosen.set(keyword, { keyword, source: sourceOf(keyword) ?? source, parts });
    for (const part of costs) requests.add(part);
  }
  return {
    sources: [...chosen.values()].map(({ keyword, source }) => ({ keyword, source })),
    terms: [...new Set([...chosen.values()].flatMap(({ parts }) => parts))],
    requests: [...requests],
  };
}

/**
 * The words and phrases that are measured for tracked terms, at most 5, first those of the term tracked longest. Tracked terms
 * belong to accounts and are never chosen; what is measured for them changes nothing that is.
 */
export function trackedRequests(tracked: readonly string[], lang: string, known: Knowledge): string[] {
  const requests = new Set<string>();
  for (const keyword of tracked) {
    const parts = termsIn(keyword, lang);
    const costs = parts.filter((part) => !requests.has(part) && !isFree(part, known));
    if (!parts.includes(keyword) || requests.size + costs.length > maxTrackedRequests) continue;
    for (const part of costs) requests.add(part);
  }
  return [...requests];
}

function isFree(part: string, { isMeasured, isKnown, requested }: Knowledge): boolean {
  return isMeasured(part) || (isKnown(part) && !requested.has(part));
}

function* inTurns(
  found: Readonly<Record<(typeof turns)[number], readonly string[]>>,
): Generator<CandidateSource> {
  const longest = Math.max(...turns.map((source) => found[source].length));
  for (let at = 0; at < longest; at++)
    for (const source of turns) {
      const keyword = found[source][at];
      if (keyword !== undefined) yield { keyword, source };
    }
}
