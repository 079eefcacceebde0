import type { PlayApp } from './google-play-apps.ts';

/** A long array with a few values and null elsewhere, as in the store's answers. */
function sparse(length: number, values: Record<number, unknown>): unknown[] {
  return Array.from({ length }, (_, position) => values[position] ?? null);
}

const image = (app: PlayApp, name: string) => [
  null,
  2,
  [512, 512],
  [null, null, `https://images.example/${app.appId}/${name}`],
];
const link = (path: string) => [null, null, null, null, [null, null, path]];
const linkToApp = (app: PlayApp) => link(`/store/apps/details?id=${app.appId}`);
const currencies: Readonly<Record<string, string>> = { DE: 'EUR', FR: 'EUR', JP: 'JPY', GB: 'GBP' };

const offer = (app: PlayApp, country: string) => [
  null,
  [
    [
      Math.round((app.price ?? 0) * 1_000_000),
      currencies[country] ?? 'USD',
      app.price ? `$${app.price}` : '',
    ],
  ],
];
const rating = (app: PlayApp) => app.rated && [app.rated[0].toFixed(1), app.rated[0]];

/** A row of a result page or a top chart. */
export function toRow(app: PlayApp, country: string): unknown[] {
  return [
    sparse(31, {
      0: [app.appId, 7],
      1: image(app, 'icon'),
      3: app.title,
      4: rating(app),
      5: app.genre,
      8: offer(app, country),
      10: linkToApp(app),
      13: [null, app.about],
      14: app.developer,
    }),
  ];
}

/** The featured app above all results. */
export function toFeatured(app: PlayApp, country: string): unknown[] {
  return sparse(18, {
    16: [null, null, toDetails(app, country), { 12: [[app.appId, 7]] }],
    17: [[linkToApp(app), null, offer(app, country)]],
  });
}

/** The sections of a result page, the list last; `token` leads to the next page. */
export function toSections(
  apps: readonly PlayApp[],
  country: string,
  { featured, token }: { featured?: PlayApp | undefined; token?: string } = {},
): unknown[] {
  const list = sparse(23, { 22: [apps.map((app) => toRow(app, country)), ['', null, null, [null, token]]] });
  return featured ? [sparse(24, { 23: toFeatured(featured, country) }), list] : [list];
}

export function toSearchData(sections: unknown): unknown[] {
  return [[null, sections], ['CAESGQgGEANa'], null, []];
}

/** The sections of a search without results: a sentence, and no app. */
export const nothingFound: readonly unknown[] = [sparse(26, { 25: [[null, "We couldn't find anything"]] })];

export function toAppData(app: PlayApp, country: string): unknown[] {
  return [[[[]]], [null, null, toDetails(app, country)], [[129], [139]]];
}

function toDetails(app: PlayApp, country: string): unknown[] {
  const [average, count] = app.rated ?? [0, 0];
  return sparse(155, {
    0: [app.title],
    10: app.releasedAt && ['Apr 1, 2019', [app.releasedAt, 0]],
    13: app.installs && [`${app.installs}+`, app.installs, app.installs + 7, ''],
    18: [2],
    51: app.rated && [
      rating(app),
      [null, ...shareOut(count).map((of) => [`${of}`, of])],
      [`${count}`, count],
      [`${Math.round(average)}`, Math.round(count / 10)],
    ],
    57: [[[[offer(app, country)]]]],
    68: [app.developer, link(`/store/apps/developer?id=${encodeURIComponent(app.developer)}`)],
    72: [[null, app.about]],
    73: [[null, app.short]],
    77: [app.appId],
    78: [Array.from({ length: app.screenshots ?? 0 }, (_, position) => image(app, `screen-${position + 1}`))],
    79: [[[app.genre, link(`/store/apps/category/${app.category}`), app.category]]],
    95: [image(app, 'icon'), 2],
    100: app.hasVideo && [[[null, null, 'video', [null, null, 'https://video.example/trailer']]]],
    140: [[app.version ? [app.version] : null], [[[26, '8.0']]]],
    145: [['Jun 25, 2026', [1_782_338_684, 0]]],
  });
}

/** The number of ratings per star, one to five. */
function shareOut(count: number): number[] {
  const low = Math.floor(count / 10);
  return [low, low, low, low, count - 4 * low];
}

/** A page: JSON blocks in scripts, after a script with code, as on the store's own pages. */
export function toPage(
  blocks: Readonly<Record<string, unknown>>,
  code = "{'ds:4' : {id:'lGYRle',request:[]}}",
): string {
  const keys = JSON.stringify(Object.keys(blocks));
  const scripts = Object.entries(blocks).map(
    ([key, data], position) =>
      `<script class="${key}" nonce="n">AF_initDataCallback({key: '${key}', hash: '${position + 1}', data:${toScriptJson(data)}, sideChannel: {}});</script>`,
  );
  return (
    '<!doctype html><html><head><title id="main-title">Invented - Google Play</title></head><body>' +
    `<script nonce="n">var AF_initDataKeys = ${keys}; var AF_dataServiceRequests = ${code}; var AF_initDataChunkQueue = [];</script>` +
    `${scripts.join('')}</body></html>`
  );
}

/** JSON as the store writes it into scripts. */
function toScriptJson(data: unknown): string {
  return JSON.stringify(data).replace(
    /[<>&='\u2028\u2029]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** A `batchexecute` answer; with `rt=c` in chunks, each preceded by a line with its length. */
export function toRpcAnswer(
  rpcId: string,
  payload: unknown,
  { isChunked = false, status = null }: { isChunked?: boolean; status?: unknown } = {},
): string {
  const json = payload === null ? null : toScriptJson(payload);
  const frames = [
    ['wrb.fr', rpcId, json, null, null, status, 'generic'],
    ['di', 62],
  ];
  if (!isChunked) return `)]}'\n\n${JSON.stringify(frames)}`;
  return `)]}'\n\n${frames
    .map((frame) => JSON.stringify([frame]))
    .map((chunk) => `${chunk.length}\n${chunk}`)
    .join('\n')}\n`;
}

export function toSuggestionData(terms: readonly string[]): unknown[] {
  return [
    [
      terms.map((term) => [term, null, link(`/store/search?q=${encodeURIComponent(term)}&c=apps`)]),
      ['CAhKAggD'],
      [[null, [[172_800], null, [604_800]]]],
    ],
  ];
}

export function toChartData(apps: readonly PlayApp[], country: string): unknown[] {
  const rows = apps.map((app) => toRow(app, country));
  return [[null, [rows.length > 0 ? sparse(29, { 28: [rows, null, null] }) : sparse(29, {})]], null, []];
}
