import { parseArgs } from 'node:util';
import { type Collection, categories, collections, isCategory } from '@shelfwise/facts/categories';
import { canonicalCountry } from '@shelfwise/facts/country';
import { canonicalLanguage } from '@shelfwise/facts/language';
import { isStore } from '@shelfwise/facts/store';
import { createSampleCatalogue, type SampleCatalogue } from '../src/sources/sample/catalogue.ts';
import type { Storefront } from '../src/sources/source.ts';

const help = `Look into the sample store: what it answers, where and on which day.

  sample search  --term "photo editor"          the result page of a search
  sample suggest --term "photo"                 what the search field completes
  sample chart   --category OVERALL --collection free|paid|grossing
  sample app     --term <app id, package name or bundle id>
  sample figures                                how large the catalogue is

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
  day: { type: 'string', default: new Date().toISOString().slice(0, 10) },
  limit: { type: 'string', default: '10' },
  help: { type: 'boolean', default: false },
} as const;

function run(): void {
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const [command] = positionals;
  if (values.help || command === undefined) print(help);
  else answer(command, values);
}

function answer(command: string, values: Record<Exclude<keyof typeof options, 'help'>, string>): void {
  const now = new Date(`${values.day}T12:00:00Z`);
  if (Number.isNaN(now.getTime())) throw new Error(`--day ${values.day} is not a day such as 2026-11-21`);
  const limit = Number(values.limit);
  if (!Number.isInteger(limit) || limit < 1) throw new Error('--limit must be a whole number from 1');
  const catalogue = createSampleCatalogue({ now: () => now });
  const storefront = storefrontFrom(values);
  const { term } = values;
  if (command === 'search') {
    const columns = ['title', 'developerName', 'score', 'ratings', 'appId'] as const;
    printTable(catalogue.search(storefront, term, limit), columns);
  } else if (command === 'suggest') {
    print(catalogue.suggest(storefront, term, limit).join('\n'));
  } else if (command === 'chart') {
    const columns = ['title', 'developerName', 'score', 'price', 'currency', 'appId'] as const;
    printTable(catalogue.chart(storefront, { ...chartFrom(values, storefront), limit }), columns);
  } else if (command === 'app') {
    printListing(catalogue, storefront, term);
  } else if (command === 'figures') {
    printFigures(catalogue);
  } else {
    throw new Error(`no command ${command}; see --help`);
  }
}

function chartFrom(
  { category, collection }: { category: string; collection: string },
  { store }: Storefront,
): { category: string; collection: Collection } {
  if (!isCategory(store, category)) throw new Error(`${store} has no category ${category}`);
  const known = collections.find((name) => name === collection);
  if (!known) throw new Error(`no collection ${collection}`);
  return { category, collection: known };
}

function storefrontFrom(values: { store: string; country: string; lang: string }): Storefront {
  if (!isStore(values.store)) throw new Error(`no store ${values.store}`);
  const country = canonicalCountry(values.store, values.country);
  const lang = canonicalLanguage(values.lang);
  if (!country) throw new Error(`${values.store} does not sell in ${values.country}`);
  if (!lang) throw new Error(`no language ${values.lang}`);
  return { store: values.store, country, lang };
}

function printListing(catalogue: SampleCatalogue, storefront: Storefront, appId: string): void {
  for (const [field, value] of Object.entries(catalogue.listing(storefront, appId))) {
    if (field === 'versions') continue;
    print(`${field.padEnd(14)} ${value instanceof Date ? value.toISOString() : String(value)}`);
  }
}

function printFigures(catalogue: SampleCatalogue): void {
  for (const store of ['ITUNES', 'GPLAY'] as const) {
    const apps = catalogue.apps(store);
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
  process.exitCode = 1;
}
