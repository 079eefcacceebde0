import { toSampleRequest } from '../../testing/sample-request.ts';
import { readExample } from '../src/openapi/recorded-examples.ts';
import { routes } from '../src/routes/index.ts';
import type { Route } from '../src/routes/route/define-route.ts';
import { useGateway } from './harness/use-gateway.ts';

/** The recorded answer of an endpoint. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads arbitrary answers
function recorded({ operationId }: Route): { data: any; meta?: any } {
  const example = readExample(operationId);
  if (!example) throw new Error(`${operationId} has no example`);
  return example.value;
}

/** Every endpoint with its schemas, answering what is recorded. The harness compares each answer with the document. */
const api = useGateway({
  routes: routes.map((route): Route => ({ ...route, handler: async () => recorded(route) })),
});

const ask = (route: Route, query: string, key: string | null = api.key) => {
  const { path, body } = toSampleRequest(route);
  const target = `${path}${path.includes('?') ? '&' : '?'}${query}`;
  return api.call(route.method.toUpperCase(), target, { body, key });
};

test.each(routes.map((route) => [route.operationId, route] as const))(
  '%s names an unknown parameter, after warnings of its own, and answers as without it',
  async (_operationId, route) => {
    const { data, meta } = recorded(route);
    const { status, body } = await ask(route, 'surprise=rank');
    const warnings = [...(meta?.warnings ?? []), 'unknown_parameter: surprise'];
    expect([status, body]).toEqual([route.status ?? 200, { data, meta: { ...meta, warnings } }]);
    expect((await ask(route, `api_key=${api.key}`, null)).body).toEqual(
      meta === undefined ? { data } : { data, meta },
    );
  },
);

const [anyRoute] = routes as [Route];
const warningsOf = async (query: string): Promise<string[]> =>
  (await ask(anyRoute, query)).body.meta.warnings;

test('at most ten names are shown, each once and cut to 40 characters', async () => {
  const names = Array.from({ length: 12 }, (_, index) => `p${index}`);
  expect(await warningsOf(names.map((name) => `${name}=1`).join('&'))).toEqual(
    names.slice(0, 10).map((name) => `unknown_parameter: ${name}`),
  );
  expect(await warningsOf('sort=1&sort=2&__proto__=1&constructor=1&sort[x]=1')).toEqual(
    ['sort', '__proto__', 'constructor', 'sort[x]'].map((name) => `unknown_parameter: ${name}`),
  );
  expect(await warningsOf(`${'a'.repeat(41)}=1`)).toEqual([`unknown_parameter: ${'a'.repeat(40)}`]);
  // A pair of surrogates that the cut would split is left out.
  const cut = await warningsOf(`${encodeURIComponent(`${'a'.repeat(39)}\u{1f600}`)}=1`);
  expect(cut).toEqual([`unknown_parameter: ${'a'.repeat(39)}`]);
});

test.each([
  ['in lower case', (key: string) => `${key}=1`],
  ['in upper case', (key: string) => `${key.toUpperCase()}=1`],
  ['percent-encoded twice', (key: string) => `${encodeURIComponent(key.replace('s', '%73'))}=1`],
  ['after other characters, where the cut would leave a part', (key: string) => `${'x'.repeat(25)}${key}=1`],
])('a key that is sent as a name, %s, is not in the answer', async (_how, toQuery) => {
  const { key } = await api.createKey();
  const { status, body } = await ask(anyRoute, toQuery(key));
  expect(status).toBe(200);
  expect(body.meta.warnings).toEqual([expect.stringMatching(/^unknown_parameter: x*\[API key\]$/)]);
});

test('only successful answers have warnings', async () => {
  const { status, body } = await api.call('GET', '/api/v1/keywords?sort=1&page=0');
  expect([status, Object.keys(body).sort()]).toEqual([400, ['code', 'details', 'error']]);
});
