import { isDeepStrictEqual } from 'node:util';
import { toSampleRequest } from '../../testing/sample-request.ts';
import { routes } from '../src/routes/index.ts';
import { invalidRequestsOf } from './harness/invalid-requests.ts';
import { useGateway } from './harness/use-gateway.ts';

// Behind a proxy, so that each endpoint can send its invalid keys from its own address.
const api = useGateway({ trustProxy: 1 });

function isContainer(body: unknown, field: string): boolean {
  return typeof (body as Record<string, unknown> | undefined)?.[field] === 'object';
}

/** What every endpoint refuses, in the order of the checks: key, plan, rate windows, parameters. */
describe.each(routes.map((route) => [route.operationId, route] as const))('%s', (_operationId, route) => {
  const valid = toSampleRequest(route);
  const invalid = invalidRequestsOf(route);
  const method = route.method.toUpperCase();
  const { path, body } = valid;
  const headers = { 'x-forwarded-for': `10.0.0.${routes.indexOf(route)}` };

  /** How many problems a field may have: only a list or an object can have several, and none is named twice. */
  function largestNumber(problems: string[], sent: unknown, field: string): number {
    return isContainer(sent, field) || isContainer(body, field) ? new Set(problems).size : 1;
  }

  afterEach(() => {
    // A refused request must not reach a service.
    expect(api.requests()).toEqual([]);
  });

  test('without a key: 401 MISSING_API_KEY, even with other mistakes', async () => {
    for (const request of [valid, ...invalid.slice(0, 1)]) {
      const answer = await api.call(method, request.path, { body: request.body, key: null, headers });
      expect(answer).toMatchObject({ status: 401, body: { code: 'MISSING_API_KEY' } });
    }
  });

  test('with an unknown or malformed key: 401 INVALID_API_KEY', async () => {
    for (const key of [`sw_live_${'0'.repeat(43)}`, 'unknown', '{"$gt":""}']) {
      const answer = await api.call(method, path, { body, key, headers });
      expect(answer).toMatchObject({ status: 401, body: { code: 'INVALID_API_KEY' } });
    }
  });

  test('on a plan without API access: 403 PLAN_REQUIRED, even with other mistakes', async () => {
    const { key } = await api.createKey('free');
    for (const request of [valid, ...invalid.slice(0, 1)]) {
      const answer = await api.call(method, request.path, { body: request.body, key });
      expect(answer).toMatchObject({ status: 403, body: { code: 'PLAN_REQUIRED' } });
    }
  });

  test('over the rate: 429 RATE_LIMITED with its headers, before the parameters are checked', async () => {
    const { key } = await api.createKey();
    for (let call = 0; call < 5; call++)
      expect((await api.call('GET', '/api/v1/unknown', { key, withoutPause: true })).status).toBe(404);
    const request = invalid[0] ?? valid;
    const answer = await api.call(method, request.path, { body: request.body, key, withoutPause: true });
    expect(answer).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } });
    expect(answer.headers.get('retry-after')).toBe('1');
    expect(answer.headers.get('x-ratelimit-limit')).toBe('5');
    const reset = Number(answer.headers.get('x-ratelimit-reset'));
    expect(reset).toBe(Math.ceil((api.clock.now().getTime() + 1000) / 1000));
  });

  if (invalid.length > 0)
    test('with wrong parameters: 400 INVALID_PARAMS that names every wrong field and no other', async () => {
      const unexpected: unknown[] = [];
      for (const request of invalid) {
        const { status, body: answer } = await api.call(method, request.path, { body: request.body });
        const { fieldErrors = {}, formErrors } = answer.details?.issues ?? {};
        const found = {
          status,
          code: answer.code,
          fields: Object.keys(fieldErrors).sort(),
          formErrors,
          repeated: Object.entries<string[]>(fieldErrors).filter(
            ([field, problems]) => problems.length > largestNumber(problems, request.body, field),
          ),
          unnamed: request.fields.filter((field) => !answer.error.includes(field)),
        };
        const fields = [...request.fields].sort();
        const wanted = {
          status: 400,
          code: 'INVALID_PARAMS',
          fields,
          formErrors: [],
          repeated: [],
          unnamed: [],
        };
        // One comparison of jest for each of thousands of requests would take longer than the requests.
        if (!isDeepStrictEqual(found, wanted)) unexpected.push({ request, answer, found });
      }
      expect(unexpected).toEqual([]);
    });

  test('with another method: 405 METHOD_NOT_ALLOWED, with the allowed methods', async () => {
    const used = routes.filter((one) => one.path === route.path).map((one) => one.method);
    const answer = await api.call(used.includes('put') ? 'PATCH' : 'PUT', path);
    expect(answer).toMatchObject({ status: 405, body: { code: 'METHOD_NOT_ALLOWED' } });
    expect(answer.headers.get('allow')?.split(', ')).toContain(method);
  });

  test('with HEAD: 405 METHOD_NOT_ALLOWED, with the allowed methods, and nothing is spent', async () => {
    const { key, id } = await api.createKey();
    const answer = await api.call('HEAD', path, { key });
    expect([answer.status, answer.body]).toEqual([405, '']);
    const allowed = answer.headers.get('allow')?.split(', ') ?? [];
    expect(allowed).toContain(method);
    expect(allowed).not.toContain('HEAD');
    expect(await api.connection.collection('usage').findOne({ account_id: id })).toBeNull();
  });

  // fetch cannot send a GET with a body; the tests of the pipeline do.
  if (method !== 'GET')
    test('with a body over 256 KiB: 413 PAYLOAD_TOO_LARGE', async () => {
      const raw = `{"app_id": "${'x'.repeat(256 * 1024)}"}`;
      const answer = await api.call(method, path, { raw, headers: { 'content-type': 'application/json' } });
      expect(answer).toMatchObject({ status: 413, body: { code: 'PAYLOAD_TOO_LARGE' } });
    });

  if (route.body) {
    test.each([
      ['invalid JSON', '{"app_id": ', 'application/json'],
      ['a body that is not an object', '[1, 2]', 'application/json'],
      ['a body that is null', 'null', 'application/json'],
      ['a body of another type', 'app_id=1', 'application/x-www-form-urlencoded'],
      ['a body without a type', new Uint8Array([123, 125]), undefined],
      ['a body in another charset', '{}', 'application/json; charset=koi8-r'],
      ['no body', undefined, undefined],
    ])('with %s: 400 INVALID_PARAMS', async (_what, raw, type) => {
      const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type };
      const answer = await api.call(method, path, { raw, headers });
      expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_PARAMS' } });
      const { formErrors, fieldErrors } = answer.body.details.issues;
      expect(formErrors.length + Object.keys(fieldErrors).length).toBeGreaterThan(0);
    });

    test.each([
      // In UTF-16 the bytes of plain letters are valid UTF-8: only the charset shows the difference.
      ['UTF-16', 'utf16le', 'application/json; charset=utf-16le', 'e'],
      ['Latin-1', 'latin1', 'application/json', 'é'],
    ] as const)('with a body in %s: 400 that says it must be UTF-8', async (_what, encoding, type, field) => {
      const raw = new Uint8Array(Buffer.from(JSON.stringify({ ...Object(body), [field]: 1 }), encoding));
      const answer = await api.call(method, path, { raw, headers: { 'content-type': type } });
      expect(answer).toMatchObject({ status: 400, body: { error: 'The body must be UTF-8.' } });
    });
  }
});
