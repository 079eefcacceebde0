/**
 * The CPU time of clustering 100, 500 and 2,000 terms: the pairwise step (`clusterTerms`, `splitLargeClusters`) and the rest of an
 * analysis. Prints for each the growth relative to n log n (1: grows as n log n), and the ratio of the two.
 *
 * Three shapes of data: `niches` is realistic: about 20 terms per niche, and terms of a niche share results. In `one
 * niche` all terms form one cluster, the worst case of the pairwise step. In `leader` all clusters have the same
 * first app, so that each term is compared with each cluster.
 */

import { parseArgs } from 'node:util';
import { clusterTerms, prepareTerms } from '@shelfwise/niche/domain/cluster-terms';
import { findNiches } from '@shelfwise/niche/domain/find-niches';
import type { NicheApp, NicheTerm } from '@shelfwise/niche/domain/niche-term';
import { splitLargeClusters } from '@shelfwise/niche/domain/split-large-clusters';
import { minCpuMs, nLogN } from './lib/cpu-time.ts';

const { values } = parseArgs({ options: { help: { type: 'boolean' } } });
if (values.help) {
  console.log('Usage: node --import tsx --conditions=shelfwise-source experiments/cluster-times.ts');
  process.exit(0);
}

const sizes = [100, 500, 2_000];
/** Among the first ten of every term, so that all terms are about the topic. */
const topicApps = ['topic/1', 'topic/2'];
const termsPerNiche = 20;
const now = new Date('2026-11-21T12:00:00Z');
const context = { store: 'ITUNES', lang: 'en-US', now } as const;
const words =
  'habit daily goal sleep run yoga diet mood photo video edit learn word game bank stock cook note'.split(
    ' ',
  );

const shapes: Readonly<Record<string, (at: number) => NicheTerm>> = {
  niches: (at) => termOf(at, idsOf(Math.floor(at / termsPerNiche), at % 3)),
  'one niche': (at) => termOf(at, idsOf(0, 0)),
  leader: (at) => termOf(at, ['leader', ...idsOf(at, 0).slice(1)]),
};

for (const [name, termAt] of Object.entries(shapes)) {
  let first: { pairwise: number; rest: number } | undefined;
  for (const size of sizes) {
    const terms = Array.from({ length: size }, (_, at) => termAt(at));
    const suggested = new Set(terms.map(({ keyword }) => keyword));
    const results = topicApps.map((appId) => ({ app_id: appId, title: 'habit' }));
    const topicContext = { topic: 'habit', suggested, results };
    const ready = prepareTerms(terms, context.lang);
    const totalMs = minCpuMs(() => findNiches(terms, context, topicContext));
    const pairwise = minCpuMs(() => splitLargeClusters(clusterTerms(ready)));
    const rest = Math.max(0, totalMs - pairwise);
    first ??= { pairwise, rest };
    const growth = (ms: number, from: number) =>
      (ms / from / (nLogN(size) / nLogN(sizes[0] ?? 1))).toFixed(2);
    const columns = [
      `${findNiches(terms, context, topicContext).length} clusters`.padStart(14),
      `pairwise ${pairwise.toFixed(2)} ms (x ${growth(pairwise, first.pairwise)} per n log n)`.padEnd(44),
      `rest ${rest.toFixed(2)} ms (x ${growth(rest, first.rest)} per n log n)`.padEnd(40),
      `pairwise : rest = ${(pairwise / rest).toFixed(2)}`,
    ];
    console.log(`${name.padEnd(10)}${String(size).padStart(5)} terms ${columns.join('  ')}`);
  }
}

/** Eight of the 11 apps of a niche, starting with one of its first three, and those of the topic. */
function idsOf(niche: number, from: number): string[] {
  return [...Array.from({ length: 8 }, (_, at) => `${niche}/${from + at}`), ...topicApps];
}

function termOf(at: number, ids: readonly string[]): NicheTerm {
  const word = (step: number) => words[(at * step + Math.floor(at / words.length)) % words.length] ?? '';
  return {
    keyword: `${word(1)} ${word(5)} ${at}`,
    traffic: (at * 37) % 101,
    difficulty: (at * 53) % 101,
    kei: (at * 31) % 101,
    isSearched: true,
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
