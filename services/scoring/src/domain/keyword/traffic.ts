import { sameSpelling } from '@shelfwise/facts/text/evidence';
import { clamp, logc, roundHalfUp } from '../curve.ts';
import { meanOf } from '../weights.ts';
import type { SuggestionMatch } from './keyword-reading.ts';
import type { TrafficParts } from './keyword-score.ts';
import { weighPrefix } from './prefix.ts';
import type { TopResult } from './top-result.ts';

/** In a weighted mean of the known parts, so they need not sum up to 1. (docs/scores.md, traffic) */
export const trafficWeights = { suggest: 0.6, L: 0.26, X: 0.22, D: 0.12, M: 0.1, C: 0.1 } as const;

/** `spec` of the formula for terms of 1, 2, … words; the last one also applies to longer terms. */
const specificity = [1, 0.9, 0.75, 0.6, 0.45, 0.3];

export type TrafficInput = {
  /** The first ten results in the store's order; null: the page was not read. */
  results: readonly TopResult[] | null;
  /** Null: not read, or the store does not answer. */
  match: SuggestionMatch | null;
  /** How many of the results are in the storefront's overall free chart (top 100); null: unknown. */
  charted: number | null;
  /** `countWords` of the term. */
  words: number;
};

export type Traffic = { score: number; parts: TrafficParts };

/**
 * How much a term is searched, 0 to 100, by how early the store suggests it and which apps rank for it
 * (docs/scores.md, traffic). Unknown parts are dropped. Null: of suggest, L, X and D none is known; M and C alone say
 * nothing about demand.
 */
export function trafficOf({ results, match, charted, words }: TrafficInput): Traffic | null {
  const values = {
    suggest: match === null ? null : suggestPart(match),
    ...pageParts(results),
    C: results === null || results.length === 0 || charted === null ? null : charted / results.length,
  };
  const { rel, relL, ...parts } = values;
  if ([parts.suggest, parts.L, parts.X, parts.D].every((part) => part === null)) return null;
  const base = meanOf(trafficWeights, parts);
  if (base === null) return null;
  const spec = specificity[Math.min(words, specificity.length) - 1] ?? 1;
  return {
    score: roundHalfUp(100 * base * (0.35 + 0.65 * spec)),
    parts: { ...values, base, words, spec },
  };
}

/**
 * 0 to 1: mostly how early the store suggests the term while it is typed, and a little how high in the list. A suggested
 * term has at least .1.
 */
function suggestPart(match: SuggestionMatch): number {
  if (match.kind === 'absent' || match.size === 0) return 0;
  if (match.kind === 'begins') return 0.1 * Math.min(1, match.count / match.size);
  const position = match.size === 1 ? 1 : 1 - match.index / (match.size - 1);
  return 0.1 + 0.8 * clamp(1 - (weighPrefix(match.prefix) - 1) / 11) + 0.1 * position;
}

type PageParts = Pick<TrafficParts, 'L' | 'X' | 'D' | 'M' | 'rel' | 'relL'>;

/** A title in the top 3 that has all words of a term shows what the term is about, whatever the others are called. */
const namesTerm = 0.85;

/**
 * The parts that depend on the result page. `rel` reduces rating counts where the titles do not name the term; `relL` that of
 * the leader.
 */
function pageParts(results: readonly TopResult[] | null): PageParts {
  if (results === null) return unknownPage;
  const known = results.map((result) => result.evidence).filter((evidence) => evidence !== null);
  // Without a title that could be read, nothing tells whether the apps are about the term.
  if (known.length === 0 && results.length > 0) return unknownPage;
  const mean = known.reduce((sum, evidence) => sum + evidence, 0) / (known.length || 1);
  const rel = Math.max(0.3, clamp(2.6 * mean));
  const bestOfFirst = Math.max(0, ...results.slice(0, 3).map((result) => result.evidence ?? 0));
  const relL = Math.max(rel, bestOfFirst >= namesTerm ? bestOfFirst : 0);
  const top = results.slice(0, 5);
  const leader = ratingsOf(top, Math.max);
  const exact = ratingsOf(
    top.filter((result) => result.evidence !== null && result.evidence >= sameSpelling),
    Math.max,
  );
  const isExactKnown = top.every(
    ({ evidence, ratings }) => evidence !== null || (exact !== null && ratings !== null && ratings <= exact),
  );
  const middle = ratingsOf(results, median);
  return {
    L: leader === null ? null : logc(leader, 1, 7) * relL,
    // While no rating count of the top 5 is known, neither is whether a big app has the term in its title. The same holds
    // while a bigger app's title is unknown.
    X: exact === null || leader === null || !isExactKnown ? null : logc(exact, 0, 7),
    D: middle === null ? null : logc(middle, 1, 5.5) * rel,
    M: mean * Math.min(1, results.length / 10),
    rel,
    relL,
  };
}

const unknownPage: PageParts = { L: null, X: null, D: null, M: null, rel: null, relL: null };

/** One figure for the rating counts of some results: 0 without results; null if no count is known. */
function ratingsOf(results: readonly TopResult[], summarize: (...counts: number[]) => number): number | null {
  if (results.length === 0) return 0;
  const counts = results.flatMap(({ ratings }) => (ratings === null ? [] : [ratings]));
  return counts.length === 0 ? null : summarize(...counts);
}

function median(...counts: number[]): number {
  const sorted = counts.sort((a, b) => a - b);
  const half = sorted.length / 2;
  const upper = sorted[Math.floor(half)] ?? 0;
  return Number.isInteger(half) ? ((sorted[half - 1] ?? 0) + upper) / 2 : upper;
}
