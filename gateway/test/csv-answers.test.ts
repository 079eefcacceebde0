import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { until } from '../../testing/until.ts';
import { readExample } from '../src/openapi/recorded-examples.ts';
import { routes } from '../src/routes/index.ts';
import type { CsvTable } from '../src/routes/route/csv-table.ts';
import { defineRoute } from '../src/routes/route/define-route.ts';
import { storefront, trackedKeyword } from './harness/sample-replies.ts';
import { refusalOf, useGateway } from './harness/use-gateway.ts';

const withCsv = routes.filter(({ csv }) => csv).map(({ operationId }) => operationId);
type Schema = { items?: { type?: string }; properties?: object };
const accept = { accept: 'text/csv' };

describe('an endpoint of the API', () => {
  const api = useGateway();
  const inspection = {
    id: 9,
    keyword_name: 'habit, "tracker"',
    storefront: { store: 'ITUNES', country: 'US', lang: 'en-US' } as const,
    difficulty_score: null,
    traffic_score: 0,
    is_partial: false,
    last_inspected_at: new Date('2026-06-01T08:00:00Z'),
    scored_at: null,
  };
  const answerWith = (inspections: (typeof inspection)[], total = inspections.length) =>
    api.scoring.answer({ listInspections: async () => ({ inspections, total }) });
  const path = '/api/v1/keywords/inspect/history';

  /** `fetch` drops a byte order mark from a text. */
  async function readBytes(target: string): Promise<string> {
    const headers = { ...accept, 'x-api-key': (await api.createKey()).key };
    const response = await fetch(`${api.url}${target}`, { headers });
    return Buffer.from(await response.arrayBuffer()).toString();
  }

  test('has CSV when its data is a list of rows or has a history', () => {
    const listing = routes.filter(({ data }) => {
      const { items, properties = {} } = z.toJSONSchema(data) as Schema;
      return items?.type === 'object' || 'history' in properties;
    });
    expect(listing.length).toBeGreaterThan(8);
    expect(withCsv).toEqual(expect.arrayContaining(listing.map(({ operationId }) => operationId)));
  });

  test.each(withCsv)(
    '%s has a CSV in the document, with the rows of the recorded example',
    async (operationId) => {
      const route = routes.find((one) => one.operationId === operationId);
      const { body } = await api.call('GET', '/api/v1/openapi.json', { key: null });
      const success = body.paths[route?.path ?? ''].get.responses[200];
      const csv: string = success.content['text/csv'].examples.sample.value;
      expect(csv.split('\r\n')[0]).toBe(route?.csv?.columns.join(','));
      const { data, meta } = readExample(operationId)?.value ?? {};
      const rows = [...(route?.csv?.readRows(data) ?? [])];
      // On the first day, nothing has changed yet.
      const isEmpty = ['listChanges', 'listAlerts'].includes(operationId);
      expect([operationId, rows.length > 0]).toEqual([operationId, !isEmpty]);
      const has = (name: string) => name in Object(meta);
      const paging = [...(has('total') ? ['X-Total-Count'] : []), ...(has('page') ? ['Link'] : [])];
      expect(Object.keys(success.headers)).toEqual(['X-Request-Id', ...paging]);
    },
  );

  test('answers CSV to a client that accepts text/csv: nulls are empty, texts are quoted, numbers are plain', async () => {
    answerWith([inspection, { ...inspection, id: 10, keyword_name: '=cmd()' }]);
    const { status, headers, body } = await api.call('GET', path, { headers: accept });
    expect([status, body]).toEqual([
      200,
      'id,keyword_name,store,country,lang,difficulty_score,traffic_score,is_partial,last_inspected_at,scored_at\r\n' +
        '9,"habit, ""tracker""",ITUNES,US,en-US,,0,false,2026-06-01T08:00:00.000Z,\r\n' +
        "10,'=cmd(),ITUNES,US,en-US,,0,false,2026-06-01T08:00:00.000Z,\r\n",
    ]);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('vary')).toBe('Accept');
    expect(headers.get('x-total-count')).toBe('2');
    expect(headers.get('link')).toBeNull();
    expect(headers.get('x-request-id')).toBeTruthy();
    expect(headers.get('cache-control')).toBe('no-store');
  });

  test.each([undefined, '*/*', 'application/json', 'text/html', 'application/json, text/csv;q=0.5'])(
    'answers JSON to a client that accepts %s',
    async (accepted) => {
      answerWith([inspection]);
      const headers: Record<string, string> = accepted === undefined ? {} : { accept: accepted };
      const answer = await api.call('GET', path, { headers });
      expect(answer.body.data).toHaveLength(1);
      expect(answer.headers.get('vary')).toBe('Accept');
      expect(answer.headers.get('x-total-count')).toBeNull();
    },
  );

  test('names the next page, with the same parameters and without the key', async () => {
    answerWith([inspection], 120);
    const query = `per_page=50&page=2&api_key=${api.key}&other=1`;
    const { headers } = await api.call('GET', `${path}?${query}`, { key: null, headers: accept });
    expect(headers.get('link')).toBe('<?per_page=50&page=3>; rel="next"');
    expect(headers.get('x-total-count')).toBe('120');
    const last = await api.call('GET', `${path}?page=3`, { headers: accept });
    expect(last.headers.get('link')).toBeNull();
  });

  test.each(['', '?bom=false'])('begins with its columns for %j', async (query) => {
    answerWith([inspection]);
    expect(await readBytes(`${path}${query}`)).toMatch(/^id,/);
  });

  test('begins with one byte order mark for bom=true, also on the next page, and JSON has none', async () => {
    answerWith([inspection], 120);
    expect(await readBytes(`${path}?bom=true`)).toMatch(/^\ufeffid,[^\ufeff]*$/);
    const { headers } = await api.call('GET', `${path}?bom=true`, { headers: accept });
    expect(headers.get('link')).toBe('<?bom=true&page=2>; rel="next"');
    const { body } = await api.call('GET', `${path}?bom=true`);
    expect([body.data.length, body.meta.warnings]).toEqual([1, undefined]);
    const wrong = await api.call('GET', `${path}?bom=1`, { headers: accept });
    expect(wrong.body.details.issues.fieldErrors).toEqual({ bom: ['must be true or false'] });
  });

  test('has the parameter bom in the document, and no other endpoint has it', async () => {
    const { body } = await api.call('GET', '/api/v1/openapi.json', { key: null });
    const having = routes.filter(({ path: one, method }) =>
      body.paths[one][method].parameters.some(({ name }: { name: string }) => name === 'bom'),
    );
    expect(having.map(({ operationId }) => operationId)).toEqual(withCsv);
  });

  test('of a list that is cut without paging goes on with its second page', async () => {
    const keywords = Array.from({ length: 3 }, (_, index) => ({ ...trackedKeyword, keyword_id: index + 1 }));
    api.tracking.answer({ listKeywords: async () => ({ keywords, total: 1001 }) });
    const { headers } = await api.call('GET', '/api/v1/keywords?sort=rank', { headers: accept });
    expect(headers.get('link')).toBe('<?sort=rank&per_page=3&page=2>; rel="next"');
    api.tracking.answer({ listKeywords: async () => ({ keywords, total: 3 }) });
    expect((await api.call('GET', '/api/v1/keywords', { headers: accept })).headers.get('link')).toBeNull();
  });

  test('escapes the parameters of the next page', async () => {
    api.tracking.answer({ listKeywords: async () => ({ keywords: [], total: 3 }) });
    const search = '?search=a%3E%22%0D%0Ab&per_page=1&sort=-rank';
    const { headers } = await api.call('GET', `/api/v1/keywords${search}`, { headers: accept });
    expect(headers.get('link')).toBe('<?sort=-rank&search=a%3E%22%0D%0Ab&per_page=1&page=2>; rel="next"');
  });

  test('writes one row per application and day of a rank history', async () => {
    const apps = [
      {
        app_id: 1,
        app_title: 'One',
        history: [
          { date: '2026-06-14', rank: 3 },
          { date: '2026-06-15', rank: null },
        ],
      },
      { app_id: 2, app_title: 'Two', history: [{ date: '2026-06-15', rank: 1 }] },
      { app_id: 3, app_title: 'None', history: [] },
    ];
    const keyword = {
      keyword_id: 7,
      keyword: 'habit',
      ...storefront,
    } as const;
    api.tracking.answer({ getRankHistory: async () => ({ ...keyword, apps, shallow_snapshots: [] }) });
    const { body } = await api.call('GET', '/api/v1/keywords/7/ranks/history', { headers: accept });
    expect(body.split('\r\n')).toEqual([
      'keyword_id,keyword,store,country,lang,app_id,app_title,date,rank',
      '7,habit,ITUNES,US,en-US,1,One,2026-06-14,3',
      '7,habit,ITUNES,US,en-US,1,One,2026-06-15,',
      '7,habit,ITUNES,US,en-US,2,Two,2026-06-15,1',
      '',
    ]);
  });

  test('without CSV says which have it, spends nothing, and answers JSON if that is accepted, too', async () => {
    const { key } = await api.createKey();
    const categories = '/api/v1/top-charts/categories';
    const refused = await api.call('GET', categories, { key, headers: accept });
    expect(refused).toMatchObject({ status: 400, body: { code: 'INVALID_PARAMS' } });
    expect(refused.body.error).toMatch(/^This endpoint has no CSV: .*GET \/api\/v1\/keywords, /);
    expect(refused.body.details.issues.formErrors).toEqual([refused.body.error]);
    expect(api.requests()).toEqual([]);
    api.chart.answer({ listChartCategories: async () => ({ stores: [] }) });
    const both = { accept: 'text/csv, application/json;q=0.5' };
    expect((await api.call('GET', categories, { key, headers: both })).body.data.collections).toHaveLength(3);
    api.tracking.answer({ getTotals: async () => ({ apps: 0, keywords: 0, competitors: 0 }) });
    const { body } = await api.call('GET', '/api/v1/account/usage', { key });
    expect(body.data).toMatchObject({ usage: { api_requests: 1 }, export_csv: true });
  });

  test('answers errors as JSON, and limits a client of CSV like any other', async () => {
    api.scoring.fail('listInspections', 'SERVICE_UNAVAILABLE');
    const { key } = await api.createKey();
    const errors = [
      await api.call('GET', path, { key: null, headers: accept }),
      await api.call('GET', `${path}?page=0`, { key, headers: accept }),
      await api.call('GET', path, { key, headers: accept }),
      await api.call('GET', '/api/v1/nothing', { key, headers: accept }),
    ];
    expect(errors.map(({ status, body }) => [status, body.code])).toEqual([
      [401, 'MISSING_API_KEY'],
      [400, 'INVALID_PARAMS'],
      [503, 'SERVICE_UNAVAILABLE'],
      [404, 'NOT_FOUND'],
    ]);
    for (const { headers } of errors) {
      expect(headers.get('content-type')).toMatch(/^application\/json/);
      expect(headers.get('x-total-count')).toBeNull();
    }
    answerWith([]);
    const burst = [];
    for (let calls = 0; calls < 6; calls++)
      burst.push((await api.call('GET', path, { headers: accept, withoutPause: calls > 0 })).status);
    expect(burst).toEqual([200, 200, 200, 200, 200, 429]);
  });
});

describe('a long CSV', () => {
  let madeRows = 0;
  let rowsToMake = Number.POSITIVE_INFINITY;
  let failingRow = Number.POSITIVE_INFINITY;
  const csv: CsvTable<unknown> = {
    columns: ['text'],
    *readRows() {
      for (madeRows = 0; madeRows < rowsToMake; madeRows++) {
        if (madeRows === failingRow) throw new Error('this row cannot be written');
        yield ['x'.repeat(1000)];
      }
    },
  };
  const endless = defineRoute({
    method: 'get',
    path: '/api/v1/endless',
    operationId: 'endless',
    tag: 'Account',
    summary: 'Endless',
    description: 'A list that is longer than any buffer.',
    cost: 0,
    services: [],
    deadlineMs: 5000,
    data: z.array(z.string()),
    csv,
    handler: async () => ({ data: [] }),
  });
  const api = useGateway({ routes: [endless] });
  beforeEach(() => {
    rowsToMake = Number.POSITIVE_INFINITY;
    failingRow = Number.POSITIVE_INFINITY;
  });

  async function open(): Promise<IncomingMessage> {
    const sent = request(`${api.url}/api/v1/endless`, { headers: { ...accept, 'x-api-key': api.key } });
    sent.end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return response;
  }

  const linesOf = ({ headers }: IncomingMessage): { status: number; level: number }[] =>
    api.lines.map((line) => JSON.parse(line)).filter(({ request_id: id }) => id === headers['x-request-id']);

  /** Resolves with the number of rows that were made, once no more are made in a hundred turns of the event loop. */
  async function rowsWhenStill(): Promise<number> {
    for (let before = -1, turns = 0; turns < 100; turns++) {
      if (before !== madeRows) turns = 0;
      before = madeRows;
      await new Promise((resolve) => setImmediate(resolve));
    }
    return madeRows;
  }

  test('is made only as fast as the client reads, and no further when it disconnects', async () => {
    const response = await open();
    const made = await rowsWhenStill();
    // What the sockets' buffers hold: some MB of rows of 1 KB.
    expect(made).toBeGreaterThan(0);
    expect(made).toBeLessThan(50_000);
    response.on('data', () => {});
    await until(() => madeRows > made + 1000);
    response.destroy();
    await once(response, 'close');
    const afterwards = await rowsWhenStill();
    expect(await rowsWhenStill()).toBe(afterwards);
    await until(() => linesOf(response).some(({ status }) => status === 499));
    expect(linesOf(response).filter(({ level }) => level >= 40)).toEqual([]);
  });

  test('arrives whole', async () => {
    rowsToMake = 5000;
    const response = await open();
    expect(response.headers['content-encoding']).toBeUndefined();
    const lines = (await text(response)).split('\r\n');
    expect([lines.length, lines[0], lines.at(-1)]).toEqual([5002, 'text', '']);
  });

  test('is an error in JSON when its beginning cannot be written', async () => {
    failingRow = 3;
    expect(refusalOf(await api.call('GET', '/api/v1/endless', { headers: accept }))).toBe(
      '500 INTERNAL_ERROR',
    );
  });

  test('breaks off, so that the client notices, when a later row cannot be written', async () => {
    failingRow = 5000;
    const response = await open();
    expect(response.statusCode).toBe(200);
    await expect(text(response)).rejects.toThrow();
  });
});
