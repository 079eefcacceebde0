import fc from 'fast-check';
import { canonicalLanguage } from './language.ts';

test.each([
  ['en-us', 'en-US'],
  ['EN', 'en'],
  ['zh-hans-cn', 'zh-Hans-CN'],
  ['pt-BR', 'pt-BR'],
  ['es-419', 'es-419'],
])('the language %s is stored as %s', (given, stored) => expect(canonicalLanguage(given)).toBe(stored));

test.each(['und', 'und-US', 'UND-Latn', 'mul', 'zxx', 'mis', 'en-ZZ', 'en-Zzzz', 'en-Abcd'])(
  'the language %j, which names no particular language, is refused',
  (given) => expect(canonicalLanguage(given)).toBeNull(),
);

/** Whether a tag is refused or its canonical spelling is stable. Fails when `canonicalLanguage` throws. */
function isStable(tag: string): boolean {
  const canonical = canonicalLanguage(tag);
  return canonical === null || canonicalLanguage(canonical) === canonical;
}

test('every language of two or three letters is refused or has one canonical spelling', () => {
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  const pairs = letters.flatMap((first) => letters.map((second) => first + second));
  const triples = pairs.flatMap((pair) => letters.map((third) => pair + third));
  expect([...pairs, ...triples].filter((tag) => !isStable(tag))).toEqual([]);
});

test('any language, script and region is refused or has one canonical spelling', () => {
  const scripts = fc.constantFrom('', '-latn', '-HANS', '-Cyrl', '-zzzz', '-abcd');
  const tags = fc
    .tuple(fc.stringMatching(/^[A-Za-z]{2,3}$/), scripts, fc.stringMatching(/^(-([A-Za-z]{2}|[0-9]{3}))?$/))
    .map((parts) => parts.join(''));
  fc.assert(fc.property(tags, isStable), { numRuns: 2000 });
  fc.assert(fc.property(fc.string(), isStable));
});

test.each(['', 'english', 'xx', 'en_US', 'en-XX', 'en-US-x-private', 'e', 'en-', '{"$gt":""}', 'klingon'])(
  'the language %j is refused',
  (given) => expect(canonicalLanguage(given)).toBeNull(),
);
