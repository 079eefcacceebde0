import { inspect } from 'node:util';
import { createClient } from './create-client.ts';
import { ConnectionError } from './errors.ts';
import { operations } from './generated/operations.ts';

/** A client of an API that answers each call with what `answer` returns for its query. */
function fakeClient(answer: (query: URLSearchParams) => unknown) {
  const queries: string[] = [];
  const client = createClient({
    baseUrl: 'https://api/',
    apiKey: 'k',
    fetch: async (url) => {
      const { searchParams } = new URL(String(url));
      queries.push(String(searchParams));
      return Response.json(answer(searchParams));
    },
  });
  return { client, queries };
}

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const collected: Item[] = [];
  for await (const item of items) collected.push(item);
  return collected;
}

const noAddresses = ['shelfwise.example.com', 'ftp://x', 'https://x/?a=b', 'https://me:word@x', ''];
test.each(noAddresses)('%j is no address of an API', (baseUrl) => {
  expect(() => createClient({ baseUrl, apiKey: 'k' })).toThrow('baseUrl must be an address');
});

test('a key goes to another machine only with encryption, or where that is said', () => {
  const connect = (baseUrl: string, insecure = false) => createClient({ baseUrl, apiKey: 'k', insecure });
  for (const host of ['example.com', 'localhost.example.com', '10.0.0.7', '127.0.0.1.example.com'])
    expect(() => connect(`http://${host}`)).toThrow('without encryption');
  for (const host of ['localhost:8080', '127.0.0.1', '[::1]:8080'])
    expect(() => connect(`http://${host}`)).not.toThrow();
  expect(() => connect('http://10.0.0.7', true)).not.toThrow();
});

test('a client needs a key', () => {
  for (const apiKey of ['', undefined as unknown as string])
    expect(() => createClient({ baseUrl: 'https://api', apiKey })).toThrow('apiKey is empty.');
});

test.each(['secret\n', 'sec ret', '“secret”'])('%j is no key, and the error does not say it', (apiKey) => {
  let message = '';
  try {
    createClient({ baseUrl: 'https://api', apiKey });
  } catch (error) {
    message = String(error);
  }
  expect(message).toMatch(/^TypeError: apiKey has/);
  expect(message).not.toContain(apiKey);
});

test('a key is not shown with its client, nor with an error', async () => {
  const client = createClient({
    baseUrl: 'https://api',
    apiKey: 'secret-key',
    maxRetries: 0,
    fetch: async () => {
      throw new TypeError('fetch failed');
    },
  });
  const error = await client.listApplications().catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ConnectionError);
  expect(inspect([client, error], { depth: 9, showHidden: true })).not.toContain('secret-key');
});

test('there is a method for each endpoint, and an iterator for each list with pages', () => {
  const { client } = fakeClient(() => null);
  for (const id of Object.keys(operations)) expect([id, id in client]).toEqual([id, true]);
  expect(Object.keys(client.rows)).toEqual(Object.keys(client.pages));
  expect(Object.keys(client.rows)).toEqual(
    expect.arrayContaining(['listKeywords', 'listRankMatrix', 'listAlerts']),
  );
  expect(Object.keys(client.rows)).not.toContain('listApplications');
});

describe('the rows of a list', () => {
  const three = (query: URLSearchParams) => {
    const page = Number(query.get('page'));
    return { data: [{ keyword: `k${page}` }], meta: { total: 3, page, has_more: page < 3 } };
  };

  test('come from all pages, from the given one on', async () => {
    const { client, queries } = fakeClient(three);
    const all = await collect(client.rows.listKeywords({ app_id: 1, per_page: 1 }));
    expect(all.map(({ keyword }) => keyword)).toEqual(['k1', 'k2', 'k3']);
    expect(queries).toEqual([1, 2, 3].map((page) => `app_id=1&page=${page}&per_page=1`));
    expect(await collect(client.rows.listKeywords({ page: 3 }))).toHaveLength(1);
  });

  test('are read only as far as they are asked for', async () => {
    const { client, queries } = fakeClient(three);
    for await (const { keyword } of client.rows.listKeywords()) if (keyword === 'k2') break;
    expect(queries).toHaveLength(2);
  });

  test('end with an empty page, even if there should be more', async () => {
    const { client, queries } = fakeClient(() => ({ data: [], meta: { has_more: true } }));
    expect(await collect(client.rows.listNotes({ id: 1 }))).toEqual([]);
    expect(queries).toHaveLength(1);
  });

  test('end when a page comes again', async () => {
    const { client, queries } = fakeClient(() => ({ data: [{ keyword: 'k' }], meta: { has_more: true } }));
    expect(await collect(client.rows.listKeywords())).toHaveLength(1);
    expect(queries).toHaveLength(2);
  });

  test('end when a cursor does not move, and never without end', async () => {
    const stuck = fakeClient(() => ({ data: [{ id: 7 }], meta: { has_more: true } }));
    expect(await collect(stuck.client.rows.listAlerts({ since: 7 }))).toEqual([{ id: 7 }]);
    const endless = fakeClient((query) => ({ data: [{ id: query.get('page') }], meta: { has_more: true } }));
    await expect(collect(endless.client.rows.listAlerts())).rejects.toThrow('send a larger per_page');
    expect(endless.queries).toHaveLength(10_000);
  });

  test('may be a field of the data', async () => {
    const { client } = fakeClient(() => ({
      data: { apps: [{}], rows: [{ keyword_id: 7 }] },
      meta: { has_more: false },
    }));
    expect(await collect(client.rows.listRankMatrix({ id: 1 }))).toEqual([{ keyword_id: 7 }]);
  });

  test('of alerts go on after the last one seen, which alerts that arrive meanwhile do not move', async () => {
    const { client, queries } = fakeClient((query) => {
      const id = Number(query.get('since')) + 1;
      return { data: [{ id }], meta: { has_more: id < 13 } };
    });
    const ids = await collect(client.rows.listAlerts({ since: 10 }));
    expect(ids.map(({ id }) => id)).toEqual([11, 12, 13]);
    expect(queries).toEqual([10, 11, 12].map((since) => `since=${since}&page=1`));
  });

  test('are there as pages with their meta and warnings, too', async () => {
    const { client } = fakeClient(() => ({
      data: [],
      meta: { total: 0, has_more: false, warnings: ['unknown_parameter: x'] },
    }));
    const [page] = await collect(client.pages.listKeywords());
    expect(page).toMatchObject({ meta: { total: 0 }, warnings: ['unknown_parameter: x'] });
  });
});

test('a wait ends with the signal of the call', async () => {
  const controller = new AbortController();
  const client = createClient({
    baseUrl: 'https://api',
    apiKey: 'k',
    onRetry: () => controller.abort(new Error('stop')),
    fetch: async () =>
      Response.json(
        { error: 'Slow down.', code: 'RATE_LIMITED' },
        { status: 429, headers: { 'retry-after': '60' } },
      ),
  });
  await expect(client.listApplications({}, controller)).rejects.toThrow('stop');
});
