import { readArguments } from './lib/define-command.ts';
import { scores } from './scores.ts';

const parse = (words: string[]) => readArguments(scores, words);

const valid = ['explain', '--store', 'itunes', '--country', 'US', '--keyword', 'photo editor'];

test('reads the keyword and the storefront; the default language is American English', () => {
  const storefront = { store: 'ITUNES', country: 'US', lang: 'en-US' };
  expect(parse(valid)).toEqual({
    kind: 'command',
    isJson: false,
    asked: { storefront, keyword: 'photo editor' },
  });
  expect(parse([...valid, '--lang', 'es-US', '--json'])).toMatchObject({
    isJson: true,
    asked: { storefront: { lang: 'es-US' } },
  });
});

test.each([
  [[], /explain/],
  [['show', ...valid.slice(1)], /explain/],
  [[...valid, 'editor'], /quotes/],
  [['explain', '--country', 'US', '--keyword', 'x'], /--store is missing/],
  [['explain', '--store', 'ITUNES', '--keyword', 'x'], /--country is missing/],
  [['explain', '--store', 'ITUNES', '--country', 'US', '--keyword', ' '], /--keyword is missing/],
  [['explain', '--store', 'AMAZON', '--country', 'US', '--keyword', 'x'], /"AMAZON" is not a store/],
  [[...valid, '--limit', '3'], /^Unknown option '--limit'\.$/],
  [[...valid, '--country', 'XX'], /^--country: XX is not a country of the App Store\.$/],
  [[...valid, '--lang', 'english!'], /^--lang: english! is not a BCP 47 language such as en-US\.$/],
])('%p is rejected with a message', (words, message) => {
  expect(parse(words)).toEqual({ kind: 'usage-error', message: expect.stringMatching(message) });
});
