import fc from 'fast-check';
import { StoreFailure } from '../../store-health/store-failure.ts';
import { type ChartQuery, parseChartPage } from './chart-page.ts';

const name = 'topfreeapplications';
const free = { country: 'US', collection: 'free', genre: null } as const;
/** A chart that is allowed to be empty. */
const paid = { ...free, collection: 'paid' } as const;

const entry = (id: number, change: Record<string, unknown> = {}) => ({
  id: { label: 'x', attributes: { 'im:id': String(id), 'im:bundleId': `example.app${id}` } },
  'im:name': { label: `App ${id}` },
  'im:artist': { label: 'Tallow Lane' },
  'im:image': [
    { label: 'https://images.example/53.png', attributes: { height: '53' } },
    { label: 'https://images.example/100.png', attributes: { height: '100' } },
    { label: 'https://images.example/75.png', attributes: { height: '75' } },
  ],
  'im:price': { label: 'Get', attributes: { amount: '0.00000', currency: 'USD' } },
  ...change,
});

function feed(entry?: unknown, more: Record<string, unknown> = {}) {
  const shown: { title: object; id: object; entry?: unknown } = {
    title: { label: 'iTunes Store: Top Free Apps' },
    id: { label: `https://itunes.example/us/rss/${name}/limit=10/json` },
  };
  if (entry !== undefined) shown.entry = entry;
  return { feed: { ...shown, ...more } };
}

function outcomeOf(body: unknown, requested: ChartQuery = free): unknown {
  try {
    return parseChartPage(body, requested);
  } catch (error) {
    return error;
  }
}

test('charts may have many rows, one row or none', () => {
  const ids = (body: unknown, requested: ChartQuery = free) =>
    parseChartPage(body, requested).map((app) => app.app_id);
  expect(ids(feed([entry(3), entry(1), entry(2)]))).toEqual(['3', '1', '2']);
  expect(ids(feed(entry(3)))).toEqual(['3']);
  expect(ids(feed(undefined, { id: undefined }), paid)).toEqual([]);
  expect(ids(feed(undefined, { id: undefined }), { ...free, genre: '6025' })).toEqual([]);
});

test('the chart of all free apps is never empty', () => {
  expect(outcomeOf(feed())).toMatchObject({
    kind: 'malformed',
    message: 'sent a chart of all free apps without rows (entry)',
  });
});

test('a chart with an empty list of rows, a form that the store never uses, is malformed', () => {
  expect(outcomeOf(feed([], { id: undefined }), paid)).toMatchObject({
    kind: 'malformed',
    message: expect.stringContaining('an empty list of rows (entry)'),
  });
});

test.each<[string, ChartQuery]>([
  [`/us/rss/${name}/limit=3/json`, free],
  [`/us/rss/${name}/limit=3/genre=6014/json`, { ...free, genre: '6014' }],
  [`/us/rss/${name}/genre=6014/limit=3/json`, { ...free, genre: '6014' }],
  ['/hk/rss/toppaidapplications/limit=3/json', { ...paid, country: 'HK' }],
])('a feed with the address %s is the requested chart', (path, requested) => {
  const body = feed([entry(1)], { id: { label: `https://itunes.example${path}` } });
  expect(outcomeOf(body, requested)).toMatchObject([{ app_id: '1' }]);
});

test.each<[string, string, ChartQuery]>([
  ['another country', `/jp/rss/${name}/limit=3/json`, free],
  ['another collection', '/us/rss/toppaidapplications/limit=3/json', free],
  ['a collection whose name starts the same', `/us/rss/${name}2/limit=3/json`, free],
  ['a genre instead of all apps', `/us/rss/${name}/limit=3/genre=6014/json`, free],
  ['another genre', `/us/rss/${name}/limit=3/genre=60140/json`, { ...free, genre: '6014' }],
  ['all apps instead of a genre', `/us/rss/${name}/limit=3/json`, { ...free, genre: '6014' }],
  ['no chart', '/', free],
])('a feed of %s is not the requested chart', (_, path, requested) => {
  const body = feed([entry(1)], { id: { label: `https://itunes.example${path}` } });
  expect(outcomeOf(body, requested)).toMatchObject({
    kind: 'malformed',
    message: expect.stringMatching(/another chart than/),
  });
});

test('a row has its largest icon, its price and its currency', () => {
  const price = { label: '3,50 €', attributes: { amount: '3.50000', currency: 'EUR' } };
  expect(parseChartPage(feed(entry(3, { 'im:price': price })), free)).toEqual([
    {
      app_id: '3',
      title: 'App 3',
      developer_name: 'Tallow Lane',
      icon: 'https://images.example/100.png',
      price: 3.5,
      currency: 'EUR',
    },
  ]);
});

test('a repeated app has its upper rank and does not lower the rank of other apps', () => {
  const rows = parseChartPage(feed([entry(1), entry(2), entry(1), entry(3)]), free);
  expect(rows.map((app) => app.app_id)).toEqual(['1', '2', '3']);
});

test.each([
  ['no feed', { entries: [] }, /shape \(feed: /],
  ['a feed without a title', { feed: { entry: [] } }, /shape \(feed\.title: /],
  [
    'rows with another name',
    feed(undefined, { entries: [entry(1)] }),
    /without rows \(entry\), with entries instead/,
  ],
  ['a row that is text', feed(['x']), /row 1, all of it: /],
  ['a row without an id', feed([entry(1), entry(2, { id: { label: 'x' } })]), /row 2, id\.attributes: /],
  [
    'an id that is not a number',
    feed([entry(1, { id: { attributes: { 'im:id': 'x' } } })]),
    /row 1, id\.attributes\.im:id/,
  ],
])('%s fails the whole chart, and the message names it', (_, body, message) => {
  expect(outcomeOf(body)).toBeInstanceOf(StoreFailure);
  expect(outcomeOf(body)).toMatchObject({ kind: 'malformed', message: expect.stringMatching(message) });
});

/** Each field that no rank depends on: removed, null, empty, or of a wrong type. */
const oddValues: unknown[] = [undefined, null, '', 7, true, [], {}, { label: null }, { label: 7 }];
const nulls = { title: null, developer_name: null, icon: null, price: null, currency: null };

test.each([
  ['im:name', ['title']],
  ['im:artist', ['developer_name']],
  ['im:image', ['icon']],
  ['im:price', ['price', 'currency']],
] as const)('a row whose %s is missing or odd keeps its rank, with null for it', (key, fields) => {
  const whole = parseChartPage(feed([entry(1), entry(2), entry(3)]), free);
  for (const value of oddValues) {
    const rows = parseChartPage(feed([entry(1), entry(2, { [key]: value }), entry(3)]), free);
    const expected = Object.fromEntries(fields.map((field) => [field, nulls[field]]));
    expect(rows).toEqual([whole[0], { ...whole[1], ...expected }, whole[2]]);
  }
});

test('of a price in words, only the price is null, and of odd icons the others count', () => {
  const odd = entry(1, {
    'im:price': { attributes: { amount: 'free', currency: 'USD' } },
    'im:image': [
      { label: 'x' },
      null,
      { label: 'https://images.example/53.png', attributes: { height: '53' } },
    ],
  });
  expect(parseChartPage(feed([odd]), free)).toMatchObject([
    { price: null, currency: 'USD', icon: 'https://images.example/53.png' },
  ]);
});

test('texts have their character references decoded once', () => {
  const row = entry(1, {
    'im:name': { label: 'Salt &amp; Ember &amp;lt;3' },
    'im:artist': { label: 'R&#38;D' },
  });
  expect(parseChartPage(feed([row]), free)).toMatchObject([
    { title: 'Salt & Ember &lt;3', developer_name: 'R&D' },
  ]);
});

test('any input results in rows or a malformed failure', () => {
  const anything = fc.oneof(
    fc.anything(),
    fc.anything().map((value) => feed(value)),
    fc
      .record({ field: fc.constantFrom(...Object.keys(entry(1))), value: fc.anything() })
      .map(({ field, value }) => feed([entry(1), entry(2, { [field]: value })])),
  );
  fc.assert(
    fc.property(anything, (body) => {
      const outcome = outcomeOf(body);
      if (outcome instanceof StoreFailure) expect(outcome.kind).toBe('malformed');
      else expect(outcome).toEqual(expect.any(Array));
    }),
    { numRuns: 1_000 },
  );
});
