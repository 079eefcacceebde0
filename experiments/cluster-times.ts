/**
 * What clustering costs, without a network: for 100, 500 and 2,000 terms the pairwise step (`clusterTerms`) and all the
 * rest of an analysis (what is about the topic, words, order, scores, intents, concepts), in ms of this process; how often as long each takes for a
 * term of n log n as at 100 terms (1: grows as n log n); and the step's share of the whole.
 *
 * Three markets: `niches`, as stores are: a term shares its results with its own niche and each niche has about 20 terms;
 * `one niche`, where all terms are one cluster, the worst case of the pairwise step; and `leader`, where every cluster
 * has the same first app, so that each term meets every cluster.
 *
 *   node --import tsx --conditions=source experiments/cluster-times.ts
 */

import { clusterTerms, prepareTerms } from '@shelfwise/niche/domain/cluster-terms';
import { findNiches } from '@shelfwise/niche/domain/find-niches';
import type { NicheApp, NicheTerm } from '@shelfwise/niche/domain/niche-term';
import { minCpuMs } from './lib/cpu-time.ts';
import { nLogN } from './lib/n-log-n.ts';

const sizes = [100, 500, 2_000];
const termsOfNiche = 20;
const now = new Date('2026-11-21T12:00:00Z');
const market = { store: 'ITUNES', lang: 'en-US', now } as const;
const words =
  'habit daily goal sleep run yoga diet mood photo video edit learn word game bank stock cook note'.split(
    ' ',
  );

const shapes: Readonly<Record<string, (at: number) => NicheTerm>> = {
  niches: (at) => termOf(at, idsOf(Math.floor(at / termsOfNiche), at % 3)),
  'one niche': (at) => termOf(at, idsOf(0, 0)),
  leader: (at) => termOf(at, ['leader', ...idsOf(at, 0).slice(1)]),
};

for (const [name, termAt] of Object.entries(shapes)) {
  let first: { pairwise: number; rest: number } | undefined;
  for (const size of sizes) {
    const terms = Array.from({ length: size }, (_, at) => termAt(at));
    const suggested = new Set(terms.map(({ keyword }) => keyword));
    const around = { topic: 'habit', suggested, topicApps: [] };
    const ready = prepareTerms(terms, market.lang);
    const whole = minCpuMs(() => findNiches(terms, market, around));
    const pairwise = minCpuMs(() => clusterTerms(ready));
    const rest = Math.max(0, whole - pairwise);
    first ??= { pairwise, rest };
    const growth = (ms: number, from: number) =>
      (ms / from / (nLogN(size) / nLogN(sizes[0] ?? 1))).toFixed(2);
    const columns = [
      `${findNiches(terms, market, around).length} clusters`.padStart(14),
      `pairwise ${pairwise.toFixed(2)} ms (x ${growth(pairwise, first.pairwise)} per n log n)`.padEnd(44),
      `rest ${rest.toFixed(2)} ms (x ${growth(rest, first.rest)} per n log n)`.padEnd(40),
      `pairwise : rest = ${(pairwise / rest).toFixed(2)}`,
    ];
    console.log(`${name.padEnd(10)}${String(size).padStart(5)} terms ${columns.join('  ')}`);
  }
}

/** Ten apps of a niche of 13, from one of its first three on. */
function idsOf(niche: number, from: number): string[] {
  return Array.from({ length: 10 }, (_, at) => `${niche}/${from + at}`);
}

function termOf(at: number, ids: readonly string[]): NicheTerm {
  const word = (step: number) => words[(at * step + Math.floor(at / words.length)) % words.length] ?? '';
  return {
    keyword: `${word(1)} ${word(5)} ${at}`,
    traffic: (at * 37) % 101,
    difficulty: (at * 53) % 101,
    isNavigational: at % 29 === 0,
    top: ids.map(appOf),
  };
}

function appOf(appId: string, place: number): NicheApp {
  return {
    app_id: appId,
    title: `${words[place]} tracker: ${words[place + 5]} ${appId}`,
    genre_key: place < 6 ? '6007' : '6013',
    ratings: 10 ** (5 - place / 3),
    updated_at: new Date(now.getTime() - place * 30 * 86_400_000),
  };
}
