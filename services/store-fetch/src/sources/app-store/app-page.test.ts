import fc from 'fast-check';
import { StoreFailure } from '../../store-health/store-failure.ts';
import { parseAppPage } from './app-page.ts';

const id = 700000001;

const parseBody = (body: Buffer) =>
  parseAppPage({ status: 200, contentType: 'text/html', body, movedTo: null }, id);

const parse = (html: string) => parseBody(Buffer.from(`<!doctype html><html>${html}</html>`));

/** The failure that parsing a page throws; if there is none, the page. */
function failureOf(html: string): unknown {
  try {
    return parse(html);
  } catch (error) {
    return error;
  }
}

const canonical = (of: number) =>
  `<link rel="canonical" href="https://apps.example/us/app/quillmoor/id${of}">`;
const data = (content: unknown) =>
  `<script type="application/json" id="serialized-server-data">${JSON.stringify(content)}</script>`;

test.each([
  [
    'a second heading',
    '<header><h1>Quillmoor</h1><h2 class="subtitle svelte-x1">Kept &amp; simple</h2></header>',
  ],
  [
    'a paragraph',
    '<header><h1>Quillmoor</h1><p class="subtitle svelte-x1"> Kept &amp;\n simple </p></header>',
  ],
  [
    'a sibling of the title, without a header',
    '<div><h1>Quillmoor</h1><p class="subtitle">Kept &amp; simple</p></div>',
  ],
  [
    'an element deeper in the header',
    '<header><div><h1>Quillmoor</h1></div><p class="a subtitle">Kept &amp; simple</p></header>',
  ],
  [
    'an element of the old page',
    '<h1 class="product-header__title">Quillmoor <span class="badge">4+</span></h1><h2 class="product-header__subtitle">Kept &amp; simple</h2>',
  ],
])('a subtitle is found as %s', (_, html) => {
  expect(parse(html)).toEqual({ title: 'Quillmoor', subtitle: 'Kept & simple' });
});

test('subtitles of other apps further down are ignored', () => {
  const html =
    '<header><h1>Quillmoor</h1></header><section><h3>Inkstead</h3><p class="subtitle">By hand</p></section>';
  expect(parse(html).subtitle).toBe('');
});

test('an app without a subtitle has an empty subtitle', () => {
  const lockup = { adamId: String(id), title: 'Quillmoor' };
  const other = { adamId: '7', subtitle: 'Of another app' };
  expect(parse(`<header><h1>Quillmoor</h1></header>${data([{ data: { lockup, other } }])}`).subtitle).toBe(
    '',
  );
});

test.each([
  ['its data names the app without one', data({ adamId: id, title: 'Quillmoor', subtitle: ' ' }), true],
  ['it has the layout used until 2025', '', false],
])('a page has no subtitle when %s, whatever else is in its header', (_, more, isNew) => {
  const heading = isNew ? '<h1>Quillmoor</h1>' : '<h1 class="product-header__title">Quillmoor</h1>';
  expect(parse(`<header>${heading}<p>Tallow Lane</p></header>${more}`).subtitle).toBe('');
});

test.each([
  [
    'an element with another name',
    '<header><h1>Quillmoor</h1><p class="tagline">Kept simple</p></header>',
    '',
  ],
  [
    'an element outside the header',
    '<header><h1>Quillmoor</h1></header><h2 class="subtitle">Kept simple</h2>',
    '',
  ],
  ['an element that a script fills', '<header><h1>Quillmoor</h1><p class="subtitle"></p></header>', ''],
  ['no header at all', '<h1>Quillmoor</h1><p class="tagline">Kept simple</p>', ''],
  [
    'data that uses another name for it',
    '<header><h1>Quillmoor</h1><p class="tagline">Kept simple</p></header>',
    data({ adamId: String(id), subTitle: 'Kept simple' }),
  ],
  [
    'data that does not name the app',
    '<header><h1>Quillmoor</h1><p class="tagline">Kept simple</p></header>',
    data({ id, subtitle: 'Kept simple' }),
  ],
  [
    'data that is cut off',
    '<header><h1>Quillmoor</h1><p class="tagline">Kept simple</p></header>',
    '<script id="serialized-server-data">{"a":',
  ],
])('a page with %s in place of the subtitle is malformed, not an app without one', (_, html, more) => {
  expect(failureOf(html + more)).toMatchObject({
    kind: 'malformed',
    message: expect.stringContaining("without the app's subtitle (.subtitle)"),
  });
});

test('the name of the store above the header is not the title', () => {
  expect(parse('<h1>App Store</h1><header><h1>Quillmoor</h1></header>').title).toBe('Quillmoor');
});

test('a page without the subtitle that its data contains is malformed, not an app without one', () => {
  const lockup = { adamId: String(id), subtitle: 'Kept simple' };
  const html = `<header><h1>Quillmoor</h1><p class="tagline">Kept simple</p></header>${data([{ data: { lockup } }])}`;
  expect(failureOf(html)).toMatchObject({
    kind: 'malformed',
    message: "sent a page without the app's subtitle (.subtitle), although its data contains one",
  });
});

test.each(['', '<p>moved', '<h6>Quillmoor</h6>', '<h1> <span class="badge">4+</span></h1>'])(
  'a page without a title is malformed, and the message says so: %j',
  (html) =>
    expect(failureOf(html)).toMatchObject({
      kind: 'malformed',
      message: "sent a page without the app's title (h1)",
    }),
);

test('a captcha is a captcha, but a page that mentions captchas is a page', () => {
  expect(failureOf('<p>Are you not a robot? Solve the captcha')).toMatchObject({ kind: 'captcha' });
  expect(parse('<header><h1>Captcha Keeper</h1></header>').title).toBe('Captcha Keeper');
});

test('a page of another app than the requested one is malformed', () => {
  expect(parse(`${canonical(id)}<header><h1>Quillmoor</h1></header>`).title).toBe('Quillmoor');
  expect(failureOf(`${canonical(id + 1)}<h1>Quillmoor</h1>`)).toMatchObject({ kind: 'malformed' });
  expect(failureOf(`${canonical(Number(`${id}0`))}<h1>Quillmoor</h1>`)).toMatchObject({ kind: 'malformed' });
});

test('a page that was cut off and shows no subtitle is malformed', () => {
  const cutOff = Buffer.from('<html><header><h1>Quillmoor</h1>');
  expect(() => parseBody(cutOff)).toThrow(new StoreFailure('malformed', 'sent a page that was cut off'));
  const later = Buffer.from(
    '<html><header><h1>Quillmoor</h1><p class="subtitle">Kept simple</p></header><p>',
  );
  expect(parseBody(later).subtitle).toBe('Kept simple');
});

test('a page that is not UTF-8 or is nested endlessly is malformed', () => {
  expect(() => parseBody(Buffer.from('<h1>Café</h1></html>', 'latin1'))).toThrow('not UTF-8');
  expect(failureOf(`<h1>${'<b>'.repeat(20_000)}x`)).toMatchObject({ kind: 'malformed' });
  const nested = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  const script = `<script id="serialized-server-data">${nested}</script>`;
  expect(parse(`<header><h1>Quillmoor</h1></header>${script}`).title).toBe('Quillmoor');
});

test('any input results in a page or a StoreFailure', () => {
  const piece = fc.oneof(
    fc.string(),
    fc.constantFrom(
      '<h1>',
      '</h1>',
      '<header>',
      '</header>',
      '<p class="subtitle">',
      '<link rel="canonical"',
      '>',
    ),
    fc.json().map((json) => `<script id="serialized-server-data">${json}</script>`),
    fc
      .constantFrom({ adamId: id, subtitle: 7 }, { adamId: { toString: 1 } }, { adamId: String(id) }, null)
      .map(data),
  );
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const outcome = failureOf(pieces.join(''));
      if (outcome instanceof StoreFailure) expect(['malformed', 'captcha']).toContain(outcome.kind);
      else expect(outcome).toMatchObject({ title: expect.stringMatching(/./), subtitle: expect.any(String) });
    }),
    { numRuns: 500 },
  );
});
