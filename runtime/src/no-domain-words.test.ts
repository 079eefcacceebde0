import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, relative } from 'node:path';

const root = join(__dirname, '../..');
const checked = ['runtime/src', 'runtime/test', 'runtime/README.md', 'proto/shelfwise/runtime'];

/**
 * In the singular. A space stands for any one character between two words, as in STORE_FETCH. "Store" alone is no word
 * of the domain: this workspace stores rows and events.
 */
const domainWords = [
  ...['aso', 'app', 'app store', 'apple', 'audit', 'autocomplete', 'blocked store', 'chart', 'competitor'],
  ...['country', 'genre', 'google', 'gplay', 'itunes', 'keyword', 'listing', 'locale', 'market'],
  ...['niche', 'play store', 'rank', 'ranking', 'rating', 'review', 'sample', 'scoring', 'snapshot'],
  ...['store fetch', 'store source', 'storefront', 'the store', 'tracked', 'tracking'],
];
const pattern = domainWords.map((word) => word.replace(' ', '.')).join('|');
const domainWord = new RegExp(`(?<![a-z])(?:${pattern}|countries)(?:e?s)?(?![a-z])`, 'gi');

function listFiles(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  const entries = readdirSync(path, { recursive: true, encoding: 'utf8' }).map((name) => join(path, name));
  return entries.filter((file) => statSync(file).isFile() && basename(file) !== basename(__filename));
}

/** The types that come with every contract; the word is also a store's. */
const wellKnownTypes = /google[./]protobuf/g;

/** Parts of names with underscores or hyphens count as words, too; parts of camelCase names, such as AppError, do not. */
function findDomainWords(text: string): { line: number; word: string }[] {
  return text
    .split('\n')
    .flatMap((line, index) =>
      [...line.replace(wellKnownTypes, '').matchAll(domainWord)].map(([word]) => ({ line: index + 1, word })),
    );
}

test('whole words count, in singular and plural, in any case', () => {
  expect(findDomainWords('An App\n max_apps, STORE_FETCH_FAILED').map(({ word }) => word)).toEqual([
    'App',
    'apps',
    'STORE_FETCH',
  ]);
  expect(findDomainWords('apply, AppError, alive, a stored row, provenance-store, application/json')).toEqual(
    [],
  );
});

test('no file of this workspace or of its contract names the domain', () => {
  const found = checked
    .flatMap((path) => listFiles(join(root, path)))
    .flatMap((file) =>
      findDomainWords(readFileSync(file, 'utf8')).map(
        ({ line, word }) => `${relative(root, file)}:${line} says "${word}"`,
      ),
    );
  if (found.length > 0)
    throw new Error(
      `runtime/ does not know the domain:\n  ${found.join('\n  ')}\n` +
        'Move what needs the word to the service or to facts/ and pass it in, or choose a neutral example. Error codes ' +
        'and topics belong in proto/. If the word has another meaning here, remove it from the list in ' +
        `${relative(root, __filename)}.`,
    );
});
