import { parseArgs } from 'node:util';
import { type Collection, categories, collections, isCategory } from '@shelfwise/facts/stores/categories';
import { canonicalCountry } from '@shelfwise/facts/stores/country';
import { canonicalLanguage } from '@shelfwise/facts/stores/language';
import { isStore } from '@shelfwise/facts/stores/store';
import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { utcDay } from '@shelfwise/runtime/day';
import { createSampleCatalog, type SampleCatalog } from '../src/sources/sample/catalog.ts';

const help = `Shows the answers of the sample store for a storefront and a day.

  sample search  --term "photo editor"          the result page of a search
  sample suggest --term "photo"                 the completions of a prefix
  sample chart   --category OVERALL --collection free|paid|grossing
  sample app     --term <app id, package name or bundle id>
  sample figures                                the size of the catalog

  --store ITUNES|GPLAY   default ITUNES
  --country US           default US
  --lang en-US           default en-US
  --day 2026-11-21       default today (UTC)
  --limit 10             default 10
`;

const options = {
  store: { type: 'string', default: 'ITUNES' },
  country: { type: 'string', default: 'US' },
  lang: { type: 'string', default: 'en-US' },
  term: { type: 'string', default: '' },
  category: { type: 'string', default: 'OVERALL' },
  collection: { type: 'string', default: 'free' },
  day: { type: 'string', default: utcDay(new Date()) },
  limit: { type: 'string', default: '10' },
  help: { type: 'boolean', default: false },
} as const;

type Values = Record<Exclude<keyof typeof options, 'help'>, string>;
type Question = { catalog: SampleCatalog; storefront: Storefront; values: Values; limit: number };

const commands: Readonly<Record<string, (question: Question) => void>> = {
  search: ({ catalog, storefront, values, limit }) => {
    const columns = ['title', 'developer_name', 'score', 'ratings', 'app_id'] as const;
    printTable(catalog.search(storefront, termFrom(values), limit), columns);
  },
  suggest: ({ catalog, storefront, values, limit }) => {
    print(catalog.suggest(storefront, termFrom(values), limit).join('\n'));
  },
  chart: ({ catalog, storefront, values, limit }) => {
    const columns = ['title', 'developer_name', 'score', 'price', 'currency', 'app_id'] as const;
    printTable(catalog.chart(storefront, { ...chartFrom(values, storefront), limit }), columns);
  },
  app: ({ catalog, storefront, values }) => printListing(catalog, storefront, termFrom(values)),
  figures: ({ catalog }) => printFigures(catalog),
};

/** The command line is invalid (exit code 2); a request without a result is exit code 1. */
class UsageError extends Error {}

function run(): void {
  const { values, positionals } = parseQuestion();
  const [name] = positionals;
  if (values.help || name === undefined) {
    print(help);
    return;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) throw new UsageError(`no command ${name}; there are ${Object.keys(commands).join(', ')}`);
  const now = new Date(`${values.day}T12:00:00Z`);
  // Date would read February 30 as a day in March.
  if (Number.isNaN(now.getTime()) || !now.toISOString().startsWith(values.day))
    throw new UsageError(`--day ${values.day} is not a valid day (example: 2026-11-21)`);
  const limit = Number(values.limit);
  if (!Number.isInteger(limit) || limit < 1)
    throw new UsageError('--limit must be a whole number, 1 or more');
  const storefront = storefrontFrom(values);
  command({ catalog: createSampleCatalog({ now: () => now }), storefront, values, limit });
}

function parseQuestion() {
  try {
    return parseArgs({ options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function termFrom({ term }: { term: string }): string {
  if (term.trim() === '') throw new UsageError('--term is missing; see --help');
  return term;
}

function chartFrom(
  { category, collection }: { category: string; collection: string },
  { store }: Storefront,
): { category: string; collection: Collection } {
  if (!isCategory(store, category)) throw new UsageError(`${store} has no category ${category}`);
  const known = collections.find((name) => name === collection);
  if (!known) throw new UsageError(`no collection ${collection}`);
  return { category, collection: known };
}

function storefrontFrom(values: { store: string; country: string; lang: string }): Storefront {
  if (!isStore(values.store)) throw new UsageError(`no store ${values.store}`);
  const country = canonicalCountry(values.store, values.country);
  const lang = canonicalLanguage(values.lang);
  if (!country) throw new UsageError(`${values.store} has no store in ${values.country}`);
  if (!lang) throw new UsageError(`no language ${values.lang}`);
  return { store: values.store, country, lang };
}

function printListing(catalog: SampleCatalog, storefront: Storefront, appId: string): void {
  for (const [field, value] of Object.entries(catalog.listing(storefront, appId))) {
    print(`${field.padEnd(14)} ${value instanceof Date ? value.toISOString() : String(value)}`);
  }
}

function printFigures(catalog: SampleCatalog): void {
  for (const store of ['ITUNES', 'GPLAY'] as const) {
    const apps = catalog.apps(store);
    const used = new Set(
      apps.map(({ brand }) => (store === 'ITUNES' ? brand.topic.genre : brand.topic.category)),
    );
    print(`${store}: ${apps.length} apps in ${used.size} of ${categories[store].length - 1} categories`);
  }
}

function printTable<T extends object>(rows: readonly T[], columns: readonly (keyof T & string)[]): void {
  const cells = rows.map((row, index) => [
    String(index + 1),
    ...columns.map((column) => String(row[column] ?? '-')),
  ]);
  const lines = [['#', ...columns], ...cells];
  const widths = lines[0]?.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0))) ?? [];
  for (const line of lines)
    print(
      line
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    );
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

try {
  run();
} catch (error) {
  if (!(error instanceof Error)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
