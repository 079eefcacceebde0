import { Validator } from '@seriousme/openapi-schema-validator';
import { checkInput } from '../src/middleware/parse-input.ts';
import { readExample } from '../src/openapi/recorded-examples.ts';
import { routes } from '../src/routes/index.ts';
import { beyondPlan } from '../src/routes/route/error-examples.ts';
import { explainDaysBeyondPlan } from '../src/routes/route/history-window.ts';
import { tooManyDeliveries } from '../src/routes/shapes/alert-channel.ts';
import { createDocumentCheck } from './harness/check-documented.ts';
import { useGateway } from './harness/use-gateway.ts';

const api = useGateway();

// biome-ignore lint/suspicious/noExplicitAny: a test reads arbitrary answers
type Json = any;

let document: Json;
let check: ReturnType<typeof createDocumentCheck>;
beforeAll(async () => {
  document = (await api.call('GET', '/api/v1/openapi.json', { key: null })).body;
  check = createDocumentCheck(document);
});

test('the document needs no key and is valid OpenAPI 3.1', async () => {
  expect(document.openapi).toBe('3.1.0');
  expect(await new Validator().validate(document)).toEqual({ valid: true });
});

test('the document has every endpoint, and all ways to send a key', async () => {
  for (const { path, method, operationId } of routes)
    expect(document.paths[path][method].operationId).toBe(operationId);
  expect(document.components.securitySchemes).toEqual({
    header_key: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
    bearer_key: { type: 'http', scheme: 'bearer', description: 'The API key as a bearer token.' },
    query_key: { type: 'apiKey', in: 'query', name: 'api_key' },
  });
  expect(document.security).toEqual([{ header_key: [] }, { bearer_key: [] }, { query_key: [] }]);
});

test('every operation says within how many seconds it is answered', () => {
  for (const { path, method, deadlineMs } of routes)
    expect([path, document.paths[path][method]['x-deadline-seconds']]).toEqual([path, deadlineMs / 1000]);
});

test('every operation has exactly one tag, its route’s own, and the document describes every tag', async () => {
  const { paths, tags } = document;
  for (const { path, method, tag } of routes) expect([path, paths[path][method].tags]).toEqual([path, [tag]]);
  const used = routes.map(({ tag }) => tag);
  expect(tags.map(({ name }: Json) => name).sort()).toEqual([...new Set(used)].sort());
  for (const { description } of tags) expect(description).toMatch(/^[A-Z].*\.$/);
});

/** Yields a schema and every schema in it, each with its path and the values that it has in the examples around it. */
function* within(schema: Json, path: string, given: unknown[]): Generator<[Json, string, unknown[]]> {
  const values = [...given, ...(schema.examples ?? [])].filter((value) => value !== null);
  yield [schema, path, values];
  for (const [name, field] of Object.entries<Json>(schema.properties ?? {})) {
    const inside = values.map((value) => (value as Json)[name]).filter((value) => value !== undefined);
    yield* within(field, `${path}.${name}`, inside);
  }
  const items = values.filter((value) => Array.isArray(value)).flat();
  if (schema.items) yield* within(schema.items, `${path}[]`, items);
  if (typeof schema.additionalProperties === 'object')
    yield* within(schema.additionalProperties, `${path}{}`, values.flatMap(Object.values));
  for (const one of schema.anyOf ?? []) yield* within(one, path, values);
}

/** Every schema of the document: parameters, bodies, answers, headers and the error envelope. */
function allSchemas({ paths, components }: Json): [Json, string, unknown[]][] {
  const operations = routes.flatMap(({ path, method, status = 200 }) => {
    const { parameters, requestBody, responses } = paths[path][method];
    const contents = [requestBody, responses[status]]
      .filter(Boolean)
      .map(({ content: { 'application/json': shown } }) => [
        shown.schema,
        shown.example ?? shown.examples?.sample.value,
      ]);
    return [
      ...parameters.flatMap(({ name, description, schema }: Json) => [
        ...within({ ...schema, description }, `${method} ${path}?${name}`, []),
      ]),
      // A route without a recorded example has a test of its own.
      ...contents.flatMap(([schema, example]) => [
        ...within(schema, `${method} ${path} `, example === undefined ? [] : [example]),
      ]),
    ];
  });
  const inHeaders = Object.entries<Json>(components.headers).flatMap(([name, { description, schema }]) => [
    ...within({ ...schema, description }, name, []),
  ]);
  return [...operations, ...inHeaders, ...within(components.schemas.Error, 'Error', [])];
}

const isContainer = ({ properties, items, anyOf, additionalProperties }: Json) =>
  Boolean(properties || items || anyOf || typeof additionalProperties === 'object');

test('every field that is sent or answered has a type', async () => {
  const untyped = allSchemas(document).filter(
    ([schema]) => !schema.type && !schema.enum && !schema.anyOf && schema.const === undefined,
  );
  expect(untyped.map(([, path]) => path)).toEqual([]);
});

test('every field that is sent or answered has a description', async () => {
  const silent = allSchemas(document).flatMap(([schema, path]) => [
    ...Object.entries<Json>(schema.properties ?? {})
      .filter(([, field]) => !field.description)
      .map(([name]) => `${path}.${name}`),
    ...(/[?]/.test(path) && !schema.description && !path.includes('[]') ? [path] : []),
  ]);
  expect(silent).toEqual([]);
});

test('every value that is sent or answered has an example, its own or within a larger one', async () => {
  const without = allSchemas(document).filter(
    ([schema, , values]) => !isContainer(schema) && schema.type !== 'null' && values.length === 0,
  );
  expect(without.map(([, path]) => path)).toEqual([]);
});

/** Numbers without a range: evidence values of many kinds, and prices in any currency. */
const unbounded = /\.flags\[\]\.evidence\{\}$|\.rows\[\]\.price$/;

test('every number has a range', async () => {
  const isNumber = ({ type }: Json) => [type].flat().some((name) => name === 'integer' || name === 'number');
  const open = allSchemas(document)
    .filter(([schema]) => isNumber(schema) && !schema.enum && schema.const === undefined)
    .filter(([{ minimum, maximum }]) => !(minimum > Number.MIN_SAFE_INTEGER) || maximum === undefined);
  expect(open.map(([, path]) => path).filter((path) => !unbounded.test(path))).toEqual([]);
});

test('parameters have types and ranges, and say whether they are required', async () => {
  const { paths } = document;
  expect(paths['/api/v1/keywords'].get.parameters).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        name: 'per_page',
        in: 'query',
        required: false,
        schema: expect.objectContaining({ type: 'integer', minimum: 1, maximum: 1000 }),
      }),
      expect.objectContaining({ name: 'favorites', schema: expect.objectContaining({ type: 'boolean' }) }),
    ]),
  );
  const [id] = paths['/api/v1/applications/{id}'].delete.parameters;
  expect(id).toMatchObject({ name: 'id', in: 'path', required: true, schema: { type: 'integer' } });
  const { schema } = paths['/api/v1/keywords'].post.requestBody.content['application/json'];
  expect(schema.required.toSorted()).toEqual(['app_id', 'country', 'keywords', 'lang', 'store']);
  expect(schema.additionalProperties).toBe(false);
  expect(schema.properties.keywords).toMatchObject({ type: 'array', minItems: 1, maxItems: 20 });
  expect(schema.properties.keywords.items).toMatchObject({ type: 'string', minLength: 1 });
  expect(schema.properties.keywords.items.description).toContain('2 to 100 characters');
  const { country, lang } = schema.properties;
  expect(country).toMatchObject({ minLength: 2, maxLength: 2, examples: ['US'] });
  expect(lang).toMatchObject({ minLength: 2, maxLength: 12, examples: ['en-US', 'zh-Hans-CN'] });
  for (const [field, right, wrong] of [
    [country, 'us', 'USA'],
    [lang, 'zh-Hans-CN', 'english'],
  ] as const)
    expect([right, wrong].map((text) => new RegExp(field.pattern).test(text))).toEqual([true, false]);
});

test('a report says that its scores are provisional while words are pending, and explains both meanings of already-used', async () => {
  const { paths } = document;
  const answer = paths['/api/v1/applications/{id}/aso-health'].get.responses[200].content['application/json'];
  const { report } = answer.schema.properties.data.properties;
  const { properties } = report.anyOf.find(({ type }: Json) => type === 'object');
  for (const field of ['global', 'axes'])
    expect(properties[field].description).toContain('can still change while words are pending.');
  const { status } = properties.fields.items.properties.words.items.properties;
  expect(status.description).toMatch(
    /an earlier field has it, .* in the keywords field also the category’s and the developer’s name/,
  );
});

test.each(routes.map((route) => [route.operationId, route] as const))(
  '%s has a valid sample request, and a recorded example that matches its schemas',
  async (operationId, route) => {
    const { path, method, status = 200, data, meta, sample } = route;
    const { params = {}, query = {}, body } = sample;
    expect(checkInput(route, { params, query, body }).problem).toBeUndefined();
    const { requestBody, responses } = document.paths[path][method];
    expect(requestBody?.content['application/json'].example).toEqual(body);
    const example = readExample(operationId);
    if (!example) throw new Error(`${operationId} has no example: run npm run record-examples`);
    expect(data.parse(example.value.data)).toEqual(example.value.data);
    if (meta) expect(meta.parse(example.value.meta)).toEqual(example.value.meta);
    expect(responses[status].content['application/json'].examples.sample).toEqual(example);
    expect(() => check(method, path, status, example.value)).not.toThrow();
  },
);

test('every error of an endpoint has an example that matches the documented schema', async () => {
  for (const { path, method, status: success = 200, errors } of routes) {
    const { [success]: _, ...failures } = document.paths[path][method].responses;
    const shown = Object.entries<Json>(failures).flatMap(([status, { content }]) => {
      const { schema, examples } = content['application/json'];
      const codes: string[] = schema.allOf[1].properties.code.enum;
      expect([path, status, Object.keys(examples)]).toEqual([path, status, codes]);
      for (const { value } of Object.values<Json>(examples))
        expect(() => check(method, path, Number(status), value)).not.toThrow();
      return codes;
    });
    expect(shown).toEqual(
      expect.arrayContaining(['INVALID_PARAMS', 'SERVICE_UNAVAILABLE', ...Object.keys(errors)]),
    );
  }
});

/** The example of each failure of an endpoint, by its code. */
function failuresOf({ responses: { 200: _, ...failures } }: Json): Record<string, Json> {
  return Object.assign(
    {},
    ...Object.values<Json>(failures).map(({ content }) => content['application/json'].examples),
  );
}

test('no example of an error shows a problem that only an operator can cause or repair', async () => {
  const { paths } = document;
  const operatorWords = /database|sample|catalog|store-fetch|\b[A-Z]+_[A-Z_]+\b/;
  for (const { path, method } of routes)
    for (const { value } of Object.values(failuresOf(paths[path][method])))
      expect([path, value.error]).toEqual([path, expect.not.stringMatching(operatorWords)]);
});

test('an example of wrong parameters names only parameters of the endpoint', async () => {
  const { paths } = document;
  for (const { path, method } of routes) {
    const operation = paths[path][method];
    const body = operation.requestBody?.content['application/json'].schema.properties ?? {};
    const taken = [...operation.parameters.map(({ name }: Json) => name), ...Object.keys(body)];
    const { error, details } = failuresOf(operation).INVALID_PARAMS.value;
    const named = Object.keys(details?.issues.fieldErrors ?? {});
    expect([path, taken]).toEqual([path, expect.arrayContaining(named)]);
    expect([path, named.length > 0]).toEqual([path, taken.length > 0]);
    for (const name of named) expect(error).toContain(name);
  }
});

test('an example of an error is the message of this endpoint, not of another', async () => {
  const { paths } = document;
  for (const { path, method, errors } of routes)
    for (const [code, sentence] of Object.entries(errors))
      expect([path, failuresOf(paths[path][method])[code].value]).toMatchObject([
        path,
        { error: sentence, code },
      ]);
  const limits = routes.flatMap(({ errors }) => errors.PLAN_LIMIT ?? []);
  // The histories share one message, what compares days another, and what is sent on request a third.
  const shared = [beyondPlan, explainDaysBeyondPlan(7), tooManyDeliveries];
  const ownLimits = limits.filter((sentence) => !shared.includes(sentence));
  expect(new Set(ownLimits).size).toBe(ownLimits.length);
});

test('a parameter has the default in the document that validation uses', async () => {
  const { paths } = document;
  for (const { path, method, operationId, query, sample } of routes) {
    const parameters: Json[] = paths[path][method].parameters;
    const optional = parameters.filter((parameter) => parameter.in === 'query' && !parameter.required);
    const required = parameters.filter((parameter) => parameter.required).map(({ name }) => name);
    const sent = Object.entries(sample.query ?? {}).filter(([name]) => required.includes(name));
    const parsed = query.parse(Object.fromEntries(sent));
    for (const { name, schema } of optional)
      expect([operationId, name, schema.default]).toEqual([operationId, name, parsed[name]]);
  }
  const parameters: Json[] = paths['/api/v1/keywords'].get.parameters;
  const [page, perPage] = ['page', 'per_page'].map((name) => parameters.find((one) => one.name === name));
  expect([page.description, perPage.description].join()).toMatch(/1 when only.*200 when only/s);
});

test('a nullable field says so', async () => {
  const { paths } = document;
  const row =
    paths['/api/v1/keywords'].get.responses[200].content['application/json'].schema.properties.data.items;
  const scores = ['traffic_score', 'difficulty_score', 'kei_score', 'kei_reason'];
  const nullable = ['current_rank', 'ahead', 'behind', ...scores];
  for (const field of nullable) expect(JSON.stringify(row.properties[field])).toContain('"null"');
  for (const field of ['keyword', 'snapshot_date', 'is_favorite', 'tracked_since'])
    expect(JSON.stringify(row.properties[field])).not.toContain('"null"');
  expect(row.properties.ranking.type).toBe('array');
});

test('the errors of an endpoint are listed with their codes; QUOTA_EXCEEDED only where a request is spent', async () => {
  const { paths } = document;
  expect(paths['/api/v1/applications'].post.responses[409].description).toContain('DUPLICATE');
  expect(paths['/api/v1/applications'].post.responses[502].description).toContain('STORE_FETCH_FAILED');
  for (const { path, method, cost } of routes) {
    const codes: string = paths[path][method].responses[429].description;
    expect([path, codes.includes('QUOTA_EXCEEDED')]).toEqual([path, cost === 1]);
  }
});

test('the document check of every test fails on a missing, an additional and a wrong field', async () => {
  const path = '/api/v1/applications/42';
  const data = { id: 42, already_removed: false };
  expect(() => check('DELETE', path, 200, { data })).not.toThrow();
  expect(() => check('DELETE', path, 200, { data: { id: 42 } })).toThrow(/already_removed/);
  expect(() => check('DELETE', path, 200, { data: { ...data, more: 1 } })).toThrow(/additional/);
  expect(() => check('DELETE', path, 200, { data: { ...data, id: '42' } })).toThrow(/integer/);
  expect(() => check('DELETE', path, 409, { error: 'x', code: 'DUPLICATE' })).toThrow(/not documented/);
  expect(() => check('DELETE', path, 404, { error: 'x', code: 'DUPLICATE' })).toThrow(/allowed values/);
});

test('/docs works without other hosts, and runs no inline script', async () => {
  const page = await api.call('GET', '/docs', { key: null });
  expect(page.status).toBe(200);
  expect(page.headers.get('content-type')).toContain('text/html');
  const policy = page.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("script-src 'self'");
  expect(policy.match(/script-src [^;]*/)?.[0]).not.toContain('unsafe');
  expect(page.body).not.toMatch(/https?:\/\//);
  expect(page.body).not.toMatch(/<script>|\son\w+=/);
  const assets = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address as string);
  expect(assets).toHaveLength(5);
  for (const asset of assets) expect((await api.call('GET', asset, { key: null })).status).toBe(200);
});

test('/docs names its own icon, and /favicon.ico needs no key', async () => {
  const page = await api.call('GET', '/docs', { key: null });
  const [, icon = ''] = page.body.match(/<link rel="icon"[^>]* href="([^"]+)"/) ?? [];
  for (const path of [icon, '/favicon.ico']) {
    const { status, headers } = await api.call('GET', path, { key: null });
    expect([path, status, headers.get('content-type')]).toEqual([path, 200, 'image/png']);
  }
});

test('the root redirects to the documentation', async () => {
  const answer = await api.call('GET', '/', { key: null });
  expect([answer.status, answer.headers.get('location')]).toEqual([302, '/docs']);
});
