import { routes } from '@shelfwise/gateway/routes/index';
import type { Route } from '@shelfwise/gateway/routes/route/define-route';
import { toSampleRequest } from '../../testing/sample-request.ts';
import { type Api, createApi } from '../../testing/system/api.ts';
import { useSharedSystem } from './use-systems.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever comes
type Json = any;

type Sample = { [Part in keyof Route['sample']]?: Record<string, unknown> };

const unknownId = 999;
const isId = (name: string, value: unknown) => /^(id|app_id)$/.test(name) && typeof value === 'number';

const { system } = useSharedSystem();
let api: Api;
let document: Json;

beforeAll(async () => {
  const { url, key } = system();
  api = createApi(url, key ?? '');
  document = await (await fetch(`${url}/api/v1/openapi.json`)).json();
  for (const id of ['trackApplication', 'trackKeywords', 'trackCompetitor']) {
    const route = routeOf(id);
    expect([id, (await send(route, {})).status]).toEqual([id, 200]);
  }
});
function routeOf(id: string): Route {
  const route = routes.find(({ operationId }) => operationId === id);
  if (!route) throw new Error(`there is no route ${id}`);
  return route;
}

function send(route: Route, changes: Sample) {
  const { path, body } = toSampleRequest(route, changes);
  return api(route.method.toUpperCase(), path.replace('/api/v1', ''), body);
}

function examplesOf({ path, method }: Route, status: number): Json {
  return document.paths[path][method].responses[status].content['application/json'].examples;
}

/** The sample of a route with an unknown id, once for each id that the route takes. */
function withUnknownIds({ sample, query }: Route): Sample[] {
  const parts = sample as Sample;
  const changed = (['params', 'body'] as const).flatMap((part) =>
    Object.entries(parts[part] ?? {})
      .filter(([name, value]) => isId(name, value))
      .map(([name]) => ({ [part]: { ...parts[part], [name]: unknownId } })),
  );
  // A store identifier names any app of a store.
  const isInternal = 'app_id' in query.shape && typeof parts.query?.app_id !== 'string';
  return isInternal ? [...changed, { query: { ...parts.query, app_id: unknownId } }] : changed;
}

const unknownIds = routes.flatMap((route) =>
  withUnknownIds(route).map((changes): [string, Sample] => [route.operationId, changes]),
);
const refused: [operationId: string, code: string, changes: Record<string, unknown>][] = [
  ['trackApplication', 'DUPLICATE', {}],
  ['trackCompetitor', 'DUPLICATE', {}],
  ['trackCompetitor', 'SELF_COMPETITOR', { competitor_app_id: '9005997251' }],
  ['trackCompetitor', 'COMPETITOR_NOT_FOUND', { competitor_app_id: '1' }],
];

test.each(unknownIds)('%s with %j answers 404, with the documented example', async (id, changes) => {
  const route = routeOf(id);
  const { status, body } = await send(route, changes);
  expect([status, body]).toEqual([404, examplesOf(route, 404)[body.code ?? '']?.value]);
});

test.each(refused)('%s answers %s with the documented example (%j)', async (id, code, changes) => {
  const route = routeOf(id);
  const { status, body } = await send(route, { body: { ...(route.sample as Sample).body, ...changes } });
  expect(body).toEqual(examplesOf(route, status)[code]?.value);
});
