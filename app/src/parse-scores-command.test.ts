import { parseScoresCommand } from './parse-scores-command.ts';

const asked = ['explain', '--store', 'itunes', '--country', 'US', '--keyword', 'photo editor'];

test('it reads whose scores to explain, in American English unless another language is given', () => {
  const storefront = { store: 'ITUNES', country: 'US', lang: 'en-US' };
  expect(parseScoresCommand(asked)).toEqual({
    kind: 'command',
    isJson: false,
    command: { storefront, keyword: 'photo editor' },
  });
  expect(parseScoresCommand([...asked, '--lang', 'es-US', '--json'])).toMatchObject({
    isJson: true,
    command: { storefront: { lang: 'es-US' } },
  });
});

test.each([
  [[], /explain/],
  [['show', ...asked.slice(1)], /explain/],
  [[...asked, 'editor'], /quotes/],
  [['explain', '--country', 'US', '--keyword', 'x'], /--store is missing/],
  [['explain', '--store', 'ITUNES', '--keyword', 'x'], /--country is missing/],
  [['explain', '--store', 'ITUNES', '--country', 'US', '--keyword', ' '], /--keyword is missing/],
  [['explain', '--store', 'AMAZON', '--country', 'US', '--keyword', 'x'], /"AMAZON" is no store/],
  [[...asked, '--limit', '3'], /--limit/],
])('%p is refused with a sentence', (words, sentence) => {
  expect(parseScoresCommand(words)).toEqual({
    kind: 'usage-error',
    message: expect.stringMatching(sentence),
  });
});

test('--help explains', () => {
  expect(parseScoresCommand(['--help'])).toEqual({ kind: 'help' });
});
