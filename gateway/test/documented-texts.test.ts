import { checkInput } from '../src/middleware/parse-input.ts';
import { createOpenApiDocument } from '../src/openapi/openapi-document.ts';
import { readExample } from '../src/openapi/recorded-examples.ts';
import { routes } from '../src/routes/index.ts';

// biome-ignore lint/suspicious/noExplicitAny: the document is plain JSON
type Json = any;

const document = createOpenApiDocument(routes, readExample) as Json;

function routeOf(id: string) {
  const route = routes.find(({ operationId }) => operationId === id);
  if (!route) throw new Error(`there is no route ${id}`);
  return route;
}

/** The documentation of a field, in the query or the body. */
function documented(id: string, field: string): Json {
  const { path, method } = routeOf(id);
  const { parameters, requestBody } = document.paths[path][method];
  const inQuery = parameters.find(({ name }: Json) => name === field);
  if (inQuery) return { ...inQuery.schema, description: inQuery.description };
  return requestBody.content['application/json'].schema.properties[field];
}

/** Whether a valid request remains valid with this value of a field. */
function isTaken(id: string, field: string, value: unknown): boolean {
  const route = routeOf(id);
  const { params = {}, query = {}, body } = route.sample as Json;
  const sent = route.body
    ? { params, query, body: { ...body, [field]: value } }
    : { params, query: { ...query, [field]: value }, body };
  return checkInput(route, sent).problem === undefined;
}

/** Every control character, and other characters on which the document and the API might disagree. */
const characters = [...Array.from({ length: 0xa1 }, (_, code) => code), 0x2028, 0xfeff, 0xfffd, 0x1f600].map(
  (code) => String.fromCodePoint(code),
);

test.each([
  ['analyzeNiche', 'topic'],
  ['runAutocomplete', 'prefix'],
  ['inspectKeyword', 'keyword'],
  ['trackKeywords', 'keywords'],
  ['simulateMetadata', 'title'],
  ['simulateMetadata', 'description'],
])('the document says which characters %s accepts in its %s', (id, field) => {
  const { pattern, items } = documented(id, field);
  const promise = new RegExp(pattern ?? items.pattern, 'u');
  const differing = characters.filter((character) => {
    const text = `ab${character}cd`;
    return promise.test(text) !== isTaken(id, field, items ? [text] : text);
  });
  expect(differing.map((character) => character.codePointAt(0)?.toString(16))).toEqual([]);
  expect(characters.some((character) => !promise.test(character))).toBe(true);
});

test.each([
  ['analyzeNiche', 'topic'],
  ['inspectKeyword', 'keyword'],
  ['trackKeywords', 'keywords'],
])('the normal form of a text that is too long in any form is not looked for: %s, %s', (id, field) => {
  const normalize = jest.spyOn(String.prototype, 'normalize');
  const text = 'ﷺ'.repeat(80_000);
  expect(isTaken(id, field, documented(id, field).items ? [text] : text)).toBe(false);
  const longest = Math.max(0, ...normalize.mock.contexts.map((given) => String(given).length));
  normalize.mockRestore();
  expect(longest).toBeLessThanOrEqual(8000);
});

test('the document says how many characters a search of drafts may have; an emoji counts as one', () => {
  const { maxLength } = documented('listSimulations', 'search');
  // Scoring refuses more UTF-16 units only after the API request is spent.
  expect('😀'.repeat(maxLength).length).toBeLessThanOrEqual(400);
  for (const character of ['x', '😀']) {
    expect(isTaken('listSimulations', 'search', character.repeat(maxLength))).toBe(true);
    expect(isTaken('listSimulations', 'search', character.repeat(maxLength + 1))).toBe(false);
  }
});

test.each([
  ['analyzeNiche', 'topic'],
  ['runAutocomplete', 'prefix'],
  ['inspectKeyword', 'keyword'],
  ['trackKeywords', 'keywords'],
])(
  'the document allows every text that %s accepts as its %s, also when it is longer before normalization',
  (id, field) => {
    const { items, ...own } = documented(id, field);
    const { minLength, maxLength, description } = items ?? own;
    const wrap = (text: string) => (items ? [text] : text);
    const longest = 'habit'.padStart(maxLength);
    for (const text of ['ﬁ', 'é'.normalize('NFD').repeat(55), longest]) {
      expect(isTaken(id, field, wrap(text))).toBe(true);
      expect([...text].length).toBeGreaterThanOrEqual(minLength);
      expect([...text].length).toBeLessThanOrEqual(maxLength);
    }
    expect(isTaken(id, field, wrap(''.padEnd(minLength - 1, 'x')))).toBe(false);
    expect(isTaken(id, field, wrap(` ${longest}`))).toBe(false);
    expect(description).toContain('counted in its normal form');
  },
);

test.each(['simulateMetadata', 'checkMetadata'])(
  'the document says in which unit the texts of %s are measured',
  (id) => {
    const { maxLength, description } = documented(id, 'description');
    expect(description).toContain('At most 20,000 UTF-16 units');
    const isGood = (text: string) => isTaken(id, 'description', text);
    expect(['x'.repeat(maxLength), '😀'.repeat(maxLength / 2)].map(isGood)).toEqual([true, true]);
    expect(['x'.repeat(maxLength + 1), '😀'.repeat(maxLength / 2 + 1)].map(isGood)).toEqual([false, false]);
  },
);

test('the document allows the longest language tag', () => {
  const longest = 'fil-Latn-419';
  const { pattern, maxLength } = documented('trackKeywords', 'lang');
  expect(new RegExp(pattern, 'u').test(longest)).toBe(true);
  expect(isTaken('trackKeywords', 'lang', longest)).toBe(true);
  expect(maxLength).toBe(longest.length);
});

test('a draft that is checked but not saved may contain any character', () => {
  expect(documented('checkMetadata', 'title').pattern).toBeUndefined();
  expect(isTaken('checkMetadata', 'title', 'a\0b')).toBe(true);
});

test.each(['from', 'to'])('the document says which dates a history accepts as its %s', (field) => {
  const dates = ['0001-01-01', '0999-06-15', '1899-12-31', '1960-02-29', '1969-12-31', '1970-01-01'];
  dates.push('1979-08-09', '1999-12-31', '2000-02-29', '2026-01-31', '9999-12-31', '2026-1-1', '20260101');
  for (const id of ['getRankHistory', 'getScoreHistory']) {
    const { pattern, format } = documented(id, field);
    expect(format).toBe('date');
    const differing = dates.filter(
      (date) => new RegExp(pattern, 'u').test(date) !== isTaken(id, field, date),
    );
    expect(differing).toEqual([]);
  }
});
