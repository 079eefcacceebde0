/**
 * How far the result pages of neighboring terms overlap: the apps that two terms have in common among their first ten,
 * divided by 10. The terms are the store's suggestions for a topic; two are neighbors if they share a word. Prints the
 * mean and the quartiles of each topic, the mean of the topics (each counts the same), and all pairs, for the sample or
 * for a stand-in for the stores.
 */
import { parseArgs } from 'node:util';
import { formatTable } from '@shelfwise/app/commands/lib/format-table';
import { wordsOf } from '@shelfwise/facts/text/words';
import { topicPrefixes } from '@shelfwise/niche/domain/topic-prefixes';
import { urgent } from '@shelfwise/store-fetch/call-budget/urgency';
import { createSampleSource } from '@shelfwise/store-fetch/sources/sample/sample-source';
import { createUnlimitedSource } from '../testing/system/unlimited-source.ts';
import { quantile } from './lib/quantile.ts';

const defaultTopics =
  'meditation, habit tracker, budget planner, photo editor, recipes, language learning, workout, sleep sounds, weather, notes, dating, invoices';

const { values } = parseArgs({
  options: {
    store: { type: 'string' },
    day: { type: 'string', default: '2026-11-21' },
    topics: { type: 'string', default: defaultTopics },
    terms: { type: 'string' },
    help: { type: 'boolean' },
  },
});
const now = new Date(`${values.day}T12:00:00Z`);
if (values.help || Number.isNaN(now.getTime())) {
  console.log(`Usage: npm run page-overlap [-- --store URL]

  --store URL    a stand-in for both stores instead of the sample
  --day DATE     a day of the sample (default 2026-11-21)
  --topics LIST  the topics whose suggestions are compared, with commas
                 (default ${defaultTopics})
  --terms LIST   compares these terms instead of suggestions`);
  process.exit(values.help ? 0 : 2);
}

const pageSize = 10;
const storefront = { store: 'ITUNES', country: 'US', lang: 'en-US' } as const;
const clock = () => now;
const source = values.store ? createUnlimitedSource(values.store, clock) : createSampleSource({ now: clock });

type Page = { words: ReadonlySet<string>; apps: ReadonlySet<string> };

const overlapsByName = new Map<string, number[]>();
for (const [name, terms] of await termLists()) {
  const pages = await Promise.all(terms.map(readPage));
  overlapsByName.set(`${name} (${terms.length} terms)`, overlapsOfNeighbors(pages));
}
const all = [...overlapsByName.values()].flat();
const topicMeans = [...overlapsByName.values()].filter(({ length }) => length > 0).map(meanOf);
console.log(
  formatTable(
    ['topic', 'pairs', 'mean', 'lower quartile', 'median', 'upper quartile'],
    [
      ...[...overlapsByName].map(([name, overlaps]) => rowOf(name, overlaps)),
      rowOf('means of topics', topicMeans),
      rowOf('all pairs', all),
    ],
  ),
);

/** The terms to compare with each other, by the name of their list. */
async function termLists(): Promise<[string, string[]][]> {
  if (values.terms !== undefined) return [['terms', values.terms.split(/,\s*/)]];
  const topics = values.topics.split(/,\s*/);
  return Promise.all(topics.map(async (topic) => [topic, await suggestionsFor(topic)]));
}

/** The suggestions for a topic, and for the topic with each letter behind it. */
async function suggestionsFor(topic: string): Promise<string[]> {
  const lists = await Promise.all(
    topicPrefixes(topic, storefront.lang).map((prefix) => source.suggest(storefront, prefix, readOptions())),
  );
  return [...new Set(lists.flatMap(({ terms }) => terms ?? []))];
}

async function readPage(term: string): Promise<Page> {
  const { apps } = await source.search(storefront, term, { ...readOptions(), limit: pageSize, onDay: null });
  return { words: new Set(wordsOf(term, storefront.lang)), apps: new Set(apps.map((app) => app.app_id)) };
}

function readOptions() {
  return { signal: new AbortController().signal, urgency: urgent };
}

/** The overlap of each pair of neighbors; terms without results are left out. */
function overlapsOfNeighbors(pages: readonly Page[]): number[] {
  const filled = pages.filter(({ apps }) => apps.size > 0);
  return filled.flatMap((page, index) =>
    filled
      .slice(index + 1)
      .filter((other) => countShared(page.words, other.words) > 0)
      .map((other) => countShared(page.apps, other.apps) / pageSize),
  );
}

function countShared(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  return [...one].filter((item) => other.has(item)).length;
}

/** A row of the table; without figures where there is nothing to compare. */
function rowOf(name: string, overlaps: readonly number[]): string[] {
  if (overlaps.length === 0) return [name, '0', '', '', '', ''];
  const figures = [meanOf(overlaps), ...[0.25, 0.5, 0.75].map((part) => quantile(overlaps, part))];
  return [name, String(overlaps.length), ...figures.map((figure) => figure.toFixed(2))];
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
