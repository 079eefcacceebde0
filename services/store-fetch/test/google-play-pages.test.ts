import fc from 'fast-check';
import { MockAgent } from 'undici';
import type { CallWithBudget } from '../src/budget/call-with-budget.ts';
import { urgent } from '../src/budget/urgency.ts';
import type { ChartedApp, FoundApp, Listing } from '../src/source.ts';
import { createGooglePlaySource } from '../src/sources/google-play/google-play-source.ts';
import { StoreFailure } from '../src/store-health/store-failure.ts';
import { allPlayApps, type PlayApp } from './fake-store/google-play-apps.ts';
import {
  nothingFound,
  toAppData,
  toChartData,
  toPage,
  toRow,
  toRpcAnswer,
  toSearchData,
  toSections,
  toSuggestionData,
} from './fake-store/google-play-shapes.ts';

const us = { store: 'GPLAY', country: 'US', lang: 'en-US' } as const;
const options = { signal: new AbortController().signal, urgency: urgent };
const [first, second, third, ...others] = allPlayApps as [PlayApp, PlayApp, PlayApp, ...PlayApp[]];

/** A source whose store answers every call with one page. */
function createPlayShowing(page: string | Buffer, contentType = 'text/html; charset=utf-8', status = 200) {
  const agent = new MockAgent();
  agent.disableNetConnect();
  const pool = agent.get('https://play.example');
  for (const method of ['GET', 'POST']) {
    pool
      .intercept({ path: () => true, method })
      .reply(status, page, { headers: { 'content-type': contentType } })
      .persist();
  }
  const callWithBudget: CallWithBudget = ({ signal }, attempt) => attempt({ dispatcher: agent, signal });
  const play = createGooglePlaySource({
    callWithBudget,
    baseUrl: 'https://play.example',
    timeoutMs: 60_000,
    now: () => new Date(0),
  });
  return {
    search: async (limit = 200) => (await play.search(us, 'notes', { ...options, limit })).apps,
    listing: async () => (await play.getListing(us, first.appId, { ...options, withSubtitle: true })).listing,
    suggest: async () => (await play.suggest(us, 'not', options)).terms,
    chart: async (
      wanted: { category: string; collection: 'free' | 'paid' } = { category: 'OVERALL', collection: 'free' },
      limit = 200,
    ) => (await play.chart(us, { ...wanted, limit }, options)).apps,
  };
}

const showSections = (sections: unknown) => createPlayShowing(toPage({ 'ds:4': toSearchData(sections) }));
const showApp = (change: (details: unknown[]) => void = () => {}, app = first) => {
  const data = structuredClone(toAppData(app, 'US')) as [unknown, [null, null, unknown[]]];
  change(data[1][2]);
  return createPlayShowing(toPage({ 'ds:5': data }));
};
const showRpc = (text: string) => createPlayShowing(text, 'application/json; charset=utf-8');
const idsOf = (apps: readonly { app_id: string }[]) => apps.map((app) => app.app_id);
const namesOf = (apps: readonly PlayApp[]) => apps.map(({ appId }) => appId);
const malformed = (message: string | RegExp) => ({
  name: 'StoreFailure',
  kind: 'malformed',
  message: typeof message === 'string' ? expect.stringContaining(message) : expect.stringMatching(message),
});

describe('a result page', () => {
  test('gives the featured app the first rank, in any section', async () => {
    const [card, list] = toSections([second, third], 'US', { featured: first });
    const expected = namesOf([first, second, third]);
    expect(idsOf(await showSections([card, list]).search())).toEqual(expected);
    expect(idsOf(await showSections([list, card]).search())).toEqual(expected);
    expect(idsOf(await showSections([[], card, list]).search())).toEqual(expected);
  });

  test('gives an app that is featured and listed the first rank, once', async () => {
    const sections = toSections([second, first, third], 'US', { featured: first });
    expect(idsOf(await showSections(sections).search())).toEqual(namesOf([first, second, third]));
    const alone = toSections([first], 'US', { featured: first });
    expect(idsOf(await showSections(alone).search())).toEqual([first.appId]);
  });

  test.each<[string, unknown, 'above' | 'below']>([
    ['several apps', [['/store/apps/details?id=a.b', '/store/apps/details?id=c.d']], 'above'],
    ['an app of the list', [[`/store/apps/details?id=${first.appId}`]], 'above'],
    ['one other app', [['/store/apps/details?id=a.b']], 'below'],
  ])(
    'has the same ranks with a shelf with %s that is not a result list: %j, %s it',
    async (_, shelf, where) => {
      const sections = toSections([first, second], 'US');
      const shown = showSections(where === 'above' ? [shelf, ...sections] : [...sections, shelf]);
      expect(idsOf(await shown.search())).toEqual(namesOf([first, second]));
    },
  );

  test('gives a repeated app its upper rank', async () => {
    const sections = toSections([second, first, second, third], 'US');
    expect(idsOf(await showSections(sections).search())).toEqual(namesOf([second, first, third]));
  });

  test('returns its start for a lower limit', async () => {
    const sections = toSections([second, third, ...others], 'US', { featured: first });
    expect(idsOf(await showSections(sections).search(3))).toEqual(namesOf([first, second, third]));
    expect(await showSections(sections).search()).toHaveLength(allPlayApps.length);
  });

  test('without results is an empty list, with or without a message about it', async () => {
    expect(await showSections([]).search()).toEqual([]);
    expect(await showSections(nothingFound).search()).toEqual([]);
  });

  test('has no score for an app without ratings', async () => {
    const [unrated] = toSections([{ ...first, rated: [0, 0] }], 'US') as [unknown[]];
    expect(await showSections([unrated]).search()).toMatchObject([
      { score: null, ratings: null, genre: null, genre_key: null },
    ]);
  });

  test.each<[string, unknown, string]>([
    ['no list of sections', 'no sections', 'without sections (ds:4)'],
    [
      'a result list in another position',
      [Object.assign([], { 21: [[toRow(first, 'US')]] })],
      'without a list of results',
    ],
    [
      'a featured app without results',
      toSections([], 'US', { featured: first }),
      'without a list of results',
    ],
    [
      'a featured app of another shape',
      [Object.assign([...toSections([first], 'US')][0] as unknown[], { 23: [[1]] })],
      'featured app has no id',
    ],
    [
      'a card of one app above the list that has another shape',
      [[null, ['/store/apps/details?id=example.lost.app']], ...toSections([first], 'US')],
      'featured app (example.lost.app) has another shape',
    ],
    [
      'a row of another shape',
      toSections([first], 'US').map((section) => addRow(section, [['only this']])),
      'row 2',
    ],
    ['a row that is null', toSections([first], 'US').map((section) => addRow(section, null)), 'row 2'],
  ])('with %s is an error that names what is missing', async (_, sections, missing) => {
    await expect(showSections(sections).search()).rejects.toMatchObject(malformed(missing));
  });

  test('fails for one row without its id', async () => {
    const sections = structuredClone(toSections([first, second, third], 'US')) as unknown[][][][];
    remove(sections, [0, 22, 0, 1, 0, 0, 0]);
    await expect(showSections(sections).search()).rejects.toMatchObject(malformed('row 2, appId'));
  });

  test.each<[string, number, keyof FoundApp]>([
    ['title', 3, 'title'],
    ['icon', 1, 'icon'],
    ['developer', 14, 'developer_name'],
    ['rating', 4, 'score'],
  ])('gives a row whose %s is missing or odd its rank, with null for it', async (_, position, field) => {
    const whole = await showSections(toSections([first, second, third], 'US')).search();
    for (const value of oddValues) {
      const sections = structuredClone(toSections([first, second, third], 'US'));
      write(sections, [0, 22, 0, 1, 0, position], value);
      const apps = await showSections(sections).search();
      expect(apps).toEqual(whole.map((app, i) => (i === 1 ? { ...app, [field]: null } : app)));
    }
  });

  test('has the same ranks whatever else is odd in a row or in the featured app', async () => {
    const ids = namesOf([first, second, third]);
    const positions = fc.constantFrom(...Array.from({ length: 30 }, (_, i) => i + 1));
    await fc.assert(
      fc.asyncProperty(positions, fc.jsonValue(), async (position, value) => {
        const sections = structuredClone(toSections([second, third], 'US', { featured: first }));
        write(sections, [1, 22, 0, 1, 0, position], value);
        write(sections, [0, 23, 17], value);
        if (position !== 2) write(sections, [0, 23, 16, 2, position * 5], value);
        expect(idsOf(await showSections(sections).search())).toEqual(ids);
      }),
    );
  });
});

describe("an app's page", () => {
  test('has every field', async () => {
    expect(await showApp().listing()).toEqual({
      app_id: first.appId,
      bundle_id: first.appId,
      title: 'Quillmoor: Notes & Lists',
      subtitle: 'Notes that stay on your phone',
      description: 'Quillmoor: Notes & Lists\nNotes that stay on your phone\n\nMade by hand.',
      url: `https://play.google.com/store/apps/details?id=${first.appId}&hl=en-US&gl=US`,
      icon: `https://images.example/${first.appId}/icon`,
      screenshots: [1, 2, 3].map((n) => `https://images.example/${first.appId}/screen-${n}`),
      developer_name: 'Brackwater Works',
      genre: 'Productivity',
      genre_key: 'PRODUCTIVITY',
      version: null,
      score: 4.71,
      ratings: 182_340,
      price: 0,
      currency: 'USD',
      installs: 5_000_000,
      languages: [],
      has_video: true,
      released_at: new Date('2019-04-01T07:00:00Z'),
      updated_at: new Date('2026-06-24T22:04:44Z'),
      unreadable: [],
    });
  });

  test('has null or an empty value for what the app lacks, never 0', async () => {
    const { rated, installs, releasedAt, hasVideo, ...plain } = first;
    const bare = (details: unknown[]) => {
      for (const position of [57, 145]) details[position] = null;
    };
    const unlike = { ...plain, short: '', screenshots: 0 };
    expect(await showApp(bare, unlike).listing()).toMatchObject({
      subtitle: '',
      screenshots: [],
      score: null,
      ratings: null,
      price: null,
      currency: null,
      installs: null,
      has_video: false,
      released_at: null,
      updated_at: null,
    });
  });

  test('has no score for zero ratings', async () => {
    const unrated = await showApp(() => {}, { ...first, rated: [0, 0] }).listing();
    expect(unrated).toMatchObject({ score: null, ratings: 0 });
  });

  test('has the short description as plain text', async () => {
    const { subtitle } = await showApp(() => {}, {
      ...first,
      short: 'It&#39;s 1 &lt; 2 &amp; more',
    }).listing();
    expect(subtitle).toBe("It's 1 < 2 & more");
  });

  test('has the version that the store shows', async () => {
    expect((await showApp(() => {}, { ...first, version: '2.4.1' }).listing()).version).toBe('2.4.1');
  });

  test('may mention captchas and unusual traffic', async () => {
    const app = { ...first, about: 'No captcha. You are not a robot. Unusual traffic? recaptcha!' };
    expect((await showApp(() => {}, app).listing()).description).toBe(app.about);
  });

  test('has null for an invalid time', async () => {
    const strange = await showApp((details) => {
      details[10] = ['1 avr. 2019', [1e300, 0]];
    }).listing();
    expect(strange.released_at).toBeNull();
    const localized = await showApp((details) => {
      details[10] = ['1 avr. 2019'];
    }).listing();
    expect(localized.released_at).toBeNull();
  });

  test('without its id is an error', async () => {
    const cut = showApp((details) => {
      details[77] = null;
    });
    await expect(cut.listing()).rejects.toMatchObject(malformed('without appId'));
  });

  test.each<[string, (string | number)[], (keyof Listing)[], unknown[]]>([
    ['title', [0, 0], ['title'], []],
    ['developer', [68, 0], ['developer_name'], []],
    ['description', [72, 0, 1], ['description'], []],
    ['screenshots', [78, 0], ['screenshots'], [[[1], [2]]]],
    ['genre', [79, 0, 0, 0], ['genre'], []],
    ['genre key', [79, 0, 0, 2], ['genre_key'], []],
    ['icon', [95, 0, 3, 2], ['icon'], ['javascript:1']],
    ['rating', [51, 0], ['score', 'ratings'], [['9', 9]]],
    [
      'rating count',
      [51, 2],
      ['score', 'ratings'],
      [
        ['many', 'many'],
        ['18', 18_234],
      ],
    ],
  ])(
    'with a missing or odd %s has null or an empty list for it, and says so',
    async (_, path, fields, odd) => {
      const whole = await showApp().listing();
      for (const value of [...oddValues, ...odd]) {
        const strange = showApp((details) => write(details, path, value));
        const nulls = Object.fromEntries(fields.map((field) => [field, field === 'screenshots' ? [] : null]));
        expect(await strange.listing()).toEqual({ ...whole, ...nulls, unreadable: fields });
      }
    },
  );

  test.each<[string, (string | number)[], Partial<Listing>]>([
    ['short description', [73, 0, 1], { subtitle: null }],
    ['number of installs', [13, 1], { installs: null }],
    ['price', [57, 0, 0, 0, 0, 1, 0, 0], { price: null, currency: null }],
    ['currency', [57, 0, 0, 0, 0, 1, 0, 1], { currency: null }],
    ['release date', [10, 1, 0], { released_at: null }],
    ['date of its version', [145, 0, 1, 0], { updated_at: null }],
    ['link to the developer', [68, 1], {}],
    ['histogram', [51, 1], {}],
    ['contact data', [69], {}],
    ['categories', [118], {}],
    ['required Android version', [140, 1], {}],
  ])('may have a missing or odd %s', async (_, path, expected) => {
    const whole = await showApp().listing();
    for (const value of oddValues) {
      if (value === '' && 'subtitle' in expected) continue;
      const strange = showApp((details) => write(details, path, value));
      expect(await strange.listing()).toEqual({ ...whole, ...expected });
    }
  });

  test('has line breaks for <br> in any spelling and for paragraphs, and decodes references once', async () => {
    const about = 'One<br>two<BR/>three<br />four<p>five</p><p>six &amp; <b>se</b>ven</p>&amp;lt;3';
    const odd = { ...first, title: 'Salt &amp; Ember', about, short: 'Fast<br>and &lt;small&gt;' };
    expect(await showApp(() => {}, odd).listing()).toMatchObject({
      title: 'Salt & Ember',
      description: 'One\ntwo\nthree\nfour\nfive\nsix & seven\n&lt;3',
      subtitle: 'Fast\nand <small>',
    });
  });

  test('may have stars that are counted a little later than the ratings, or no stars', async () => {
    const later = showApp((details) => {
      (details[51] as unknown[])[2] = ['183,000', 183_000];
    });
    expect(await later.listing()).toMatchObject({ score: 4.71, ratings: 183_000 });
    const unnumbered = showApp((details) => {
      (details[51] as unknown[])[1] = null;
    });
    expect(await unnumbered.listing()).toMatchObject({ score: 4.71, ratings: 182_340 });
  });

  test.each<[string, unknown]>([
    ['an address in another position', [[[null, ['https://video.example/trailer']]]]],
    ['a value of another type', 'yes'],
    ['its position missing', undefined],
  ])('with %s does not say whether there is a video', async (_, value) => {
    const strange = showApp(
      (details) => {
        if (value === undefined) details.length = 100;
        else details[100] = value;
      },
      { ...first, version: '1.0' },
    );
    const requested = strange.listing();
    if (value !== undefined) expect((await requested).has_video).toBeNull();
    else await expect(requested).resolves.toMatchObject({ has_video: null });
  });

  test.each<[string, Partial<PlayApp>, string]>([
    [
      'a short description of more than a thousand characters',
      { short: 'x'.repeat(1001) },
      'short description of 1001',
    ],
    ['a nested short description', { short: '<div>'.repeat(100) }, 'nested more than'],
    ['an endless description', { about: 'x'.repeat(50_001) }, 'description of 50001'],
    ['a nested description', { about: '<div>'.repeat(5_000) }, 'nested more than'],
    ['a description whose elements end out of order', { about: '<p><b>x</p>'.repeat(4_000) }, 'nested more'],
  ])('with %s is refused before it is parsed', async (_, unlike, missing) => {
    await expect(showApp(() => {}, { ...first, ...unlike }).listing()).rejects.toMatchObject(
      malformed(missing),
    );
  });

  test('of another app is an error', async () => {
    await expect(showApp(() => {}, second).listing()).rejects.toMatchObject(malformed('another app'));
  });

  test('without any data is an error', async () => {
    const empty = createPlayShowing(toPage({ 'ds:5': [] }));
    await expect(empty.listing()).rejects.toMatchObject(malformed('without appId'));
  });
});

describe('suggestions', () => {
  test('are in the store’s order, at most five, without duplicates', async () => {
    const terms = ['notes', 'notebook', 'notes', 'note taker', 'notepad', 'notion', 'noted'];
    const shown = showRpc(toRpcAnswer('IJ4APc', toSuggestionData(terms)));
    expect(await shown.suggest()).toEqual(['notes', 'notebook', 'note taker', 'notepad', 'notion']);
  });

  test.each<[string, unknown]>([
    ['no payload', null],
    ['an empty list', [[[]]]],
    ['a list that is null', [[null]]],
    ['nothing in it', [[]]],
  ])('are an empty list for an answer with %s', async (_, payload) => {
    expect(await showRpc(toRpcAnswer('IJ4APc', payload)).suggest()).toEqual([]);
  });

  test.each<[string, unknown]>([
    ['to a level below', [[null, [['notes'], ['notebook']]]]],
    ['behind the first list', [[[]], [['notes'], ['notebook']]]],
    ['behind the token', [[[], ['CAhKAggD'], [[['notes']]]]]],
    ['away, so that the token is in its position', [[['CAhKAggD'], [[null, [[172_800]]]]]]],
    ['behind an empty list', [[[], [['notes']]]]],
  ])('are an error, not an empty list, if the list has moved %s', async (_, payload) => {
    const shown = showRpc(toRpcAnswer('IJ4APc', payload)).suggest();
    await expect(shown).rejects.toMatchObject(malformed('without a list'));
  });

  test('may be empty next to a token and times', async () => {
    for (const rows of [[], null]) {
      const payload = [[rows, ['CAhKAggD'], [[null, [[172_800], null, [604_800]]]]]];
      expect(await showRpc(toRpcAnswer('IJ4APc', payload)).suggest()).toEqual([]);
    }
  });

  test('are an empty list for the status "not found", and an error for any other status', async () => {
    const withStatus = (status: unknown) => showRpc(toRpcAnswer('IJ4APc', null, { status })).suggest();
    expect(await withStatus([5])).toEqual([]);
    for (const status of [[3], [13, 'internal'], ['x'], [], { code: 3 }, 3, 'x'])
      await expect(withStatus(status)).rejects.toMatchObject({ kind: 'error' });
    // A refusal of the request lasts; a broken or busy store does not.
    for (const [status, isPermanent] of [
      [[3], true],
      [[9], true],
      [[11], true],
      [[12], true],
      [[13], false],
      [[14], false],
      ['x', false],
    ])
      await expect(withStatus(status)).rejects.toMatchObject({ isPermanent });
  });

  test.each<[string, string, string]>([
    ['no opening', '[["wrb.fr","IJ4APc","[[[]]]"]]', 'does not begin with'],
    ['a web page', '<!doctype html><p>moved', 'does not begin with'],
    ['nothing', '', 'does not begin with'],
    ['the opening alone', ")]}'", 'without a part IJ4APc'],
    ['another procedure', toRpcAnswer('vyAe2', []), 'without a part IJ4APc'],
    [
      'half of it',
      toRpcAnswer('IJ4APc', toSuggestionData(['notes'])).slice(0, -30),
      'malformed or cut short',
    ],
    ['a payload that is not JSON', ')]}\'\n\n[["wrb.fr","IJ4APc","[[["]]', 'malformed or cut short'],
    ['a payload that is not text', ')]}\'\n\n[["wrb.fr","IJ4APc",7]]', 'malformed or cut short'],
    ['a list of another shape', toRpcAnswer('IJ4APc', [['notes']]), 'without a list'],
    ['a payload of another shape', toRpcAnswer('IJ4APc', { terms: [] }), 'without a list'],
    ['an invalid term', toRpcAnswer('IJ4APc', [[[['notes'], [7]]]]), 'row 2'],
    ['an empty term', toRpcAnswer('IJ4APc', [[[['']]]]), 'row 1'],
    ['a term that is null', toRpcAnswer('IJ4APc', [[[null]]]), ''],
  ])('are an error for an answer with %s', async (_, text, missing) => {
    await expect(showRpc(text).suggest()).rejects.toMatchObject(malformed(missing));
  });
});

describe('a top chart', () => {
  const show = (payload: unknown) => showRpc(toRpcAnswer('vyAe2', payload, { isChunked: true }));

  test('has every field, in rank order, with each app once', async () => {
    const paid = { ...second, price: 4.99 };
    const { rated, ...unrated } = third;
    const apps = await show(toChartData([first, paid, unrated, first], 'DE')).chart();
    expect(apps).toEqual([
      {
        app_id: first.appId,
        title: 'Quillmoor: Notes & Lists',
        icon: `https://images.example/${first.appId}/icon`,
        developer_name: 'Brackwater Works',
        score: 4.71,
        price: 0,
        currency: 'EUR',
      },
      expect.objectContaining({ app_id: second.appId, price: 4.99, currency: 'EUR' }),
      expect.objectContaining({ app_id: third.appId, score: null }),
    ]);
  });

  test('returns its start for a lower limit', async () => {
    const shown = show(toChartData([first, second, third], 'US'));
    expect(idsOf(await shown.chart(undefined, 2))).toEqual(namesOf([first, second]));
  });

  test('has no price for an app without one', async () => {
    const data = structuredClone(toChartData([first], 'US')) as unknown[];
    remove(data, [0, 1, 0, 28, 0, 0, 0, 8]);
    expect(await show(data).chart()).toMatchObject([{ price: null, currency: null }]);
  });

  test.each<[string, (string | number)[], Partial<ChartedApp>]>([
    ['title', [3], { title: null }],
    ['icon', [1], { icon: null }],
    ['developer', [14], { developer_name: null }],
    ['rating', [4], { score: null }],
    ['price', [8], { price: null, currency: null }],
    ['amount', [8, 1, 0, 0], { price: null, currency: null }],
    ['currency', [8, 1, 0, 1], { currency: null }],
    ['address', [10], {}],
  ])('gives a row whose %s is missing or odd its rank, with null for it', async (_, path, expected) => {
    const whole = await show(toChartData([first, second, third], 'US')).chart();
    for (const value of oddValues) {
      const data = structuredClone(toChartData([first, second, third], 'US'));
      write(data, [0, 1, 0, 28, 0, 1, 0, ...path], value);
      const apps = await show(data).chart();
      expect(apps).toEqual(whole.map((app, i) => (i === 1 ? { ...app, ...expected } : app)));
    }
  });

  test.each<[string, unknown]>([
    ['without a payload', null],
    ['without a list', toChartData([], 'US')],
    ['with an empty list', [[null, [Object.assign(Array(29).fill(null), { 28: [[]] })]]]],
  ])('that the store does not have (%s) is empty', async (_, payload) => {
    expect(await show(payload).chart({ category: 'DATING', collection: 'paid' })).toEqual([]);
  });

  test.each([
    ['OVERALL', 'free'],
    ['OVERALL', 'paid'],
    ['GAME', 'free'],
    ['GAME', 'paid'],
    ['DATING', 'free'],
  ] as const)('of %s, %s, is never empty', async (category, collection) => {
    const emptyList = [[null, [Object.assign(Array(29).fill(null), { 28: [[]] })]]];
    for (const payload of [null, toChartData([], 'US'), emptyList]) {
      const shown = show(payload).chart({ category, collection });
      await expect(shown).rejects.toMatchObject(malformed('without its list of apps'));
    }
  });

  test.each(['ANDROID_WEAR', 'FAMILY', 'WATCH_FACE'])(
    'of %s, which is not a genre, may be empty',
    async (category) =>
      expect(await show(toChartData([], 'US')).chart({ category, collection: 'free' })).toEqual([]),
  );

  test.each<[string, unknown, string]>([
    ['its list in another position', [[null, [[toRow(first, 'US')]]]], 'without its list of apps'],
    ['another shape', { apps: [] }, 'without its list of apps'],
    ['something without links', [['something new']], 'without its list of apps'],
    ['only an empty array', [], 'without its list of apps'],
    ['rows without links in another position', [[null, [[[['notes']]]]]], 'without its list of apps'],
    ['no part of a chart', [[null, []]], 'without its list of apps'],
    ['one row without an id', toChartData([first, { ...second, appId: '' }], 'US'), 'row 2, appId'],
  ])('with %s is an error', async (_, payload, missing) => {
    const chart = show(payload).chart({ category: 'DATING', collection: 'paid' });
    await expect(chart).rejects.toMatchObject(malformed(missing));
  });
});

describe('any page', () => {
  type Shown = ReturnType<typeof createPlayShowing>;
  const questions = ['search', 'listing', 'suggest', 'chart'] as const;
  const captcha =
    '<html><body>Our systems have detected unusual traffic <script src="https://captcha.example/api.js"></script></body></html>';

  test.each(questions)(
    'that is a captcha instead of an answer to %s is reported as one',
    async (question) => {
      await expect(createPlayShowing(captcha)[question]()).rejects.toMatchObject({ kind: 'captcha' });
    },
  );

  test.each(questions)('that is not UTF-8 is an error for %s', async (question) => {
    const page = Buffer.concat([Buffer.from(")]}'<!doctype html>"), Buffer.from([0xe9, 0xff])]);
    await expect(createPlayShowing(page)[question]()).rejects.toMatchObject(malformed('not UTF-8'));
  });

  test.each(questions)('that is very deeply nested is an error for %s', async (question) => {
    const deep = '['.repeat(200_000) + ']'.repeat(200_000);
    const nulls = (count: number) => 'null,'.repeat(count);
    const script = (key: string, json: string) =>
      `<script>AF_initDataCallback({key: '${key}', hash: '1', data:${json}, sideChannel: {}});</script>`;
    const pages: Record<string, string> = {
      search: script('ds:4', `[[null,[[${nulls(22)}[[[${deep}]]]]]]]`),
      listing: script('ds:5', deep),
      suggest: `)]}'\n[["wrb.fr","IJ4APc",${JSON.stringify(deep)}]]`,
      chart: `)]}'\n[["wrb.fr","vyAe2",${JSON.stringify(deep)}]]`,
    };
    await expect(createPlayShowing(pages[question] ?? '')[question]()).rejects.toMatchObject({
      kind: 'malformed',
    });
  });

  test('is read or reported as a failure of the store, whatever it contains', async () => {
    const bodies = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.json(),
      fc
        .json()
        .map(
          (json) =>
            `)]}'\n\n[["wrb.fr","IJ4APc",${JSON.stringify(json)}],["wrb.fr","vyAe2",${JSON.stringify(json)}]]`,
        ),
      fc
        .jsonValue()
        .map((data) => toPage({ 'ds:4': toSearchData(data), 'ds:5': [null, [null, null, data]] })),
      fc
        .array(fc.tuple(fc.integer({ min: 0, max: 154 }), fc.jsonValue()), { maxLength: 4 })
        .map(toStrangePage),
    );
    const property = fc.asyncProperty(bodies, fc.constantFrom(...questions), async (body, question) => {
      const failure = await settle(createPlayShowing(body), question);
      expect(failure === null || failure instanceof StoreFailure ? null : failure).toBeNull();
    });
    await fc.assert(property);
  });

  async function settle(shown: Shown, question: (typeof questions)[number]): Promise<unknown> {
    try {
      await shown[question]();
      return null;
    } catch (error) {
      return error;
    }
  }

  /** A valid page except for some values of an app's details and of a row. */
  function toStrangePage(changes: [number, unknown][]): string {
    const data = structuredClone(toAppData(first, 'US')) as [unknown, [null, null, unknown[]]];
    const sections = structuredClone(
      toSections([first, second], 'US', { featured: third }),
    ) as unknown[][][][][][];
    for (const [position, value] of changes) {
      data[1][2][position] = value;
      const row = sections[1]?.[22]?.[0]?.[1]?.[0];
      if (row) row[position % 31] = value as never;
    }
    return toPage({ 'ds:4': toSearchData(sections), 'ds:5': data });
  }
});

function addRow(section: unknown, row: unknown): unknown {
  const copy = structuredClone(section) as unknown[][][];
  copy[22]?.[0]?.push(row);
  return copy;
}

/** No value, null, an empty text, or a value of a wrong type. */
const oddValues: unknown[] = [undefined, null, '', true, -1.5, {}, [[]]];

function write(data: unknown, path: readonly (string | number)[], value: unknown): void {
  const parent = path
    .slice(0, -1)
    .reduce<unknown>((part, step) => (part as Record<string | number, unknown>)[step], data);
  (parent as Record<string | number, unknown>)[path.at(-1) ?? 0] = value;
}

function remove(data: unknown, path: readonly number[]): void {
  const parent = path
    .slice(0, -1)
    .reduce<unknown>((value, step) => (value as unknown[])[step], data) as unknown[];
  parent[path.at(-1) as number] = null;
}
