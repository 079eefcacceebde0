import { MockAgent } from 'undici';
import { urgent } from '../src/budget/urgency.ts';
import { createGooglePlaySource } from '../src/sources/google-play/google-play-source.ts';
import { allPlayApps, type PlayApp } from './fake-store/google-play-apps.ts';
import { toAppData, toPage, toSearchData, toSections } from './fake-store/google-play-shapes.ts';

/** Set by the code in the pages below if any of it runs. */
const marks = globalThis as { ranCodeOfAPage?: boolean };
const code = "{'ds:4' : {id: (globalThis.ranCodeOfAPage = true), request:[]}}";
/** Text that the scraper takes for a block of code anywhere on a page, and evaluates. */
const block = `; var AF_dataServiceRequests = ${code}; var AF_initDataChunkQueue`;

const us = { store: 'GPLAY', country: 'US', lang: 'en' } as const;
const options = { signal: new AbortController().signal, urgency: urgent };
const [app] = allPlayApps as [PlayApp];

function createPlayShowing(page: string) {
  const agent = new MockAgent();
  agent.disableNetConnect();
  agent
    .get('https://play.example')
    .intercept({ path: () => true })
    .reply(200, page, { headers: { 'content-type': 'text/html' } });
  return createGooglePlaySource({
    callWithBudget: ({ signal }, attempt) => attempt({ dispatcher: agent, signal }),
    baseUrl: 'https://play.example',
    timeoutMs: 5000,
    now: () => new Date(),
  });
}

const blocksOf = (shown: PlayApp) => ({
  'ds:4': toSearchData(toSections([shown], 'US')),
  'ds:5': toAppData(shown, 'US'),
});
const plain = toPage(blocksOf(app));

/** The same page with its own code in various positions. */
const pages: Record<string, string> = {
  'where the store has its own': toPage(blocksOf(app), code),
  'in a second script': plain.replace('<body>', `<body><script>var x = 1${block} = [];</script>`),
  'at the very end': `${plain}${block}`,
  'before everything': `${block}${plain}`,
  'nested in itself': plain.replace(
    '<body>',
    `<body>; var AF_dataService; var AF_dataServiceRequests${code}; var AF_initDataChunkQueueRequests${block}`,
  ),
  'inside the data, in a form that the store never writes': plain.replaceAll(
    '"Brackwater Works"',
    `"Brackwater ${block} Works"`,
  ),
  'in the name of a developer': toPage(blocksOf({ ...app, developer: `Brackwater ${block} Works` })),
  'in a description': toPage(blocksOf({ ...app, about: `Notes ${block} and lists`, short: block })),
  'in a description that ends its script': toPage(
    blocksOf({ ...app, about: `</script><script>${block}, sideChannel: {}});</script>` }),
  ),
  'in a title that looks like another block': toPage(
    blocksOf({
      ...app,
      title: `>AF_initDataCallback({key: 'ds:9', data:1, sideChannel: {}});</script>${block}`,
    }),
  ),
};

beforeEach(() => {
  delete marks.ranCodeOfAPage;
});

test('the code in these tests would run if it were evaluated', () => {
  // biome-ignore lint/security/noGlobalEval: it is what must not happen to the pages
  globalThis.eval(`(${code})`);
  expect(marks.ranCodeOfAPage).toBe(true);
});

test.each(Object.keys(pages))('no code on a page is run: %s', async (name) => {
  const page = pages[name] ?? '';
  expect(page).toContain('AF_dataServiceRequests');
  const found = await createPlayShowing(page).search(us, 'notes', { ...options, limit: 10 });
  const shown = await createPlayShowing(page).getListing(us, app.appId, { ...options, withSubtitle: true });
  expect(found.apps.map((app) => app.app_id)).toEqual([app.appId]);
  expect(shown.listing.app_id).toBe(app.appId);
  expect(marks.ranCodeOfAPage).toBeUndefined();
});

test('text that looks like code is unchanged', async () => {
  const page = pages['in the name of a developer'] ?? '';
  const { listing } = await createPlayShowing(page).getListing(us, app.appId, {
    ...options,
    withSubtitle: true,
  });
  expect(listing.developer_name).toBe(`Brackwater ${block} Works`);
});
