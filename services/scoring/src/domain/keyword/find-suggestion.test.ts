import { normalizeKeyword } from '@shelfwise/facts/text/keyword';
import fc from 'fast-check';
import { findSuggestion } from './find-suggestion.ts';
import { graphemesOf } from './prefix.ts';

/**
 * A store that suggests a term, second of three, once the prefix has `from` characters; `prefixes` records the
 * requests.
 */
function createStore(term: string, from: number) {
  const prefixes: string[] = [];
  const suggest = async (prefix: string) => {
    prefixes.push(prefix);
    return graphemesOf(prefix).length >= from ? [`${prefix}!`, term, 'other'] : ['other'];
  };
  return { prefixes, suggest };
}

test('suggestions are compared in the lower case of the language', async () => {
  const found = await findSuggestion('IŞIK', 'tr-TR', async () => ['IŞIK', 'fener']);
  expect(found?.match).toMatchObject({ kind: 'suggested', prefix: 'ı', index: 0 });
});

test('the shortest prefix is found with a few requests, the whole term first', async () => {
  const { prefixes, suggest } = createStore('photo editor', 3);
  expect(await findSuggestion('photo editor', 'en', suggest)).toEqual({
    match: { kind: 'suggested', prefix: 'pho', index: 1, size: 3 },
    probes: [
      { prefix: 'photo editor', index: 1, size: 3 },
      { prefix: 'photo e', index: 1, size: 3 },
      { prefix: 'pho', index: 1, size: 3 },
      { prefix: 'ph', index: null, size: 1 },
    ],
  });
  expect(prefixes).toEqual(['photo editor', 'photo e', 'pho', 'ph']);
});

test('spellings are compared in normal form', async () => {
  const found = await findSuggestion('Café  Ｍap', 'en', async () => ['CAFE\u0301 MAP']);
  expect(found?.match).toEqual({ kind: 'suggested', prefix: 'c', index: 0, size: 1 });
});

test('a term that is only the start of suggestions costs one request', async () => {
  const found = await findSuggestion('photo', 'en', async () => ['Photo Editor', 'photos', 'foto']);
  expect(found).toEqual({
    match: { kind: 'begins', count: 2, size: 3 },
    probes: [{ prefix: 'photo', index: null, size: 3 }],
  });
});

test('a term that no suggestion starts with is absent, also when there are no suggestions', async () => {
  const of = async (list: string[]) => (await findSuggestion('photo', 'en', async () => list))?.match;
  expect(await of(['foto'])).toEqual({ kind: 'absent', size: 1 });
  expect(await of([])).toEqual({ kind: 'absent', size: 0 });
});

test('a store that does not answer is not called again, and the result is null', async () => {
  for (const failingCall of [1, 2, 3]) {
    let calls = 0;
    const suggest = async () => (++calls >= failingCall ? null : ['photo editor']);
    expect(await findSuggestion('photo editor', 'en', suggest)).toBeNull();
    expect(calls).toBe(failingCall);
  }
});

const terms = fc
  .array(fc.constantFrom('p', 'é', 'e\u0301', '写', '👩‍👩‍👧', ' ', 'x'), { minLength: 1, maxLength: 60 })
  .map((characters) => normalizeKeyword(characters.join('')))
  .filter((term) => term !== '');

test('for any term, the shortest prefix is found within log2 of its length + 2 requests, none of them twice', async () => {
  await fc.assert(
    fc.asyncProperty(terms, fc.nat(), async (term, seed) => {
      const characters = graphemesOf(term);
      const from = 1 + (seed % characters.length);
      const { prefixes, suggest } = createStore(term, from);
      const found = await findSuggestion(term, 'en', suggest);

      const blank = characters[from - 1] === ' ';
      const shortest = characters.slice(0, blank ? from + 1 : from).join('');
      expect(found?.match).toMatchObject({ kind: 'suggested', prefix: shortest });
      expect(prefixes.length).toBeLessThanOrEqual(Math.log2(characters.length) + 2);
      expect(new Set(prefixes).size).toBe(prefixes.length);
      expect(prefixes.every((prefix) => prefix === prefix.trim() && term.startsWith(prefix))).toBe(true);
      expect(found?.probes.map((probe) => probe.prefix)).toEqual(prefixes);
    }),
  );
});
