import { dashboardCodes } from '@shelfwise/proto/error-codes';
import { type ErrorCode, errorCodes } from '@shelfwise/runtime/errors';
import { z } from 'zod';
import { explainQuotaExceeded } from '../middleware/enforce-quota.ts';
import { checkInput } from '../middleware/parse-input.ts';
import type { Route } from '../routes/route/define-route.ts';

type Json = Record<string, unknown>;

const statusTexts: Readonly<Record<number, string>> = {
  400: 'The request is not valid; details name every invalid field.',
  401: 'The API key is missing or not valid.',
  403: 'The plan does not allow this call.',
  404: 'Not found.',
  409: 'Already exists.',
  413: 'The body is larger than 256 KiB.',
  429: 'Too many requests.',
  500: 'Something went wrong on our side.',
  502: 'A store could not be read. Try again later.',
  503: 'A service is unavailable or too slow. Try again after Retry-After seconds.',
};

const headersByStatus: Readonly<Record<number, readonly string[]>> = {
  429: ['Retry-After', 'X-RateLimit-Limit', 'X-RateLimit-Reset'],
  503: ['Retry-After'],
};

/** Response headers, as components of the OpenAPI document. */
export const headers = {
  'X-Request-Id': {
    description: 'Id of this call in our logs.',
    schema: { type: 'string', maxLength: 64, examples: ['7c9e6679-7425-40de-944b-e07fc1f90ae7'] },
  },
  'Retry-After': {
    description: 'Seconds to wait before the next attempt.',
    schema: { type: 'integer', minimum: 1, maximum: 60, examples: [1] },
  },
  'X-RateLimit-Limit': {
    description: 'Limit of the full rate window; only with RATE_LIMITED.',
    schema: { type: 'integer', enum: [5, 60], examples: [5] },
  },
  'X-RateLimit-Reset': {
    description: 'When the rate window has room again, in Unix seconds; only with RATE_LIMITED.',
    schema: { type: 'integer', minimum: 0, maximum: 253_402_300_799, examples: [1795292401] },
  },
  'X-Total-Count': {
    description: 'The total of meta; only with text/csv, and where meta has one.',
    schema: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER, examples: [120] },
  },
  Link: {
    description:
      'The next page of a list with pages, as a relative address (rel="next"); only with text/csv.',
    schema: { type: 'string', examples: ['<?per_page=50&page=2>; rel="next"'] },
  },
};

const isOfApi = (code: string) => !dashboardCodes.some((one) => one === code);

/** The body of every failed call. */
export const errorEnvelope = z.object({
  error: z.string().meta({ description: 'The error message, for people.', examples: ['app_id is required'] }),
  code: z
    .enum(Object.keys(errorCodes).filter(isOfApi))
    .meta({ description: 'The error code, for programs.', examples: ['INVALID_PARAMS'] }),
  details: z
    .union([
      z.object({
        issues: z
          .object({
            formErrors: z.array(z.string()).meta({
              description: 'Problems of the request as a whole.',
              examples: [['The body is not valid JSON.']],
            }),
            fieldErrors: z.record(z.string(), z.array(z.string())).meta({
              description: 'Problems of each field, by field name.',
              examples: [{ app_id: ['is required'] }],
            }),
          })
          .meta({ description: 'All problems of the request.' }),
        notes: z.array(z.string()).meta({
          description: 'Further hints on how to correct the request.',
          examples: [['kw_field was ignored: Google Play has no keywords field.']],
        }),
      }),
      z.object({
        id: z
          .int()
          .min(1)
          .meta({ description: 'Id of what exists already.', examples: [42] }),
      }),
    ])
    .optional()
    .meta({ description: 'Details of a request that is not valid, or with DUPLICATE the existing id.' }),
  usage: z
    .object({
      api_requests: z
        .int()
        .min(0)
        .meta({ description: 'API requests spent this month.', examples: [10_000] }),
      api_requests_per_month: z
        .int()
        .min(0)
        .meta({ description: 'API requests per month of the plan.', examples: [10_000] }),
      renews_at: z.iso
        .datetime()
        .meta({ description: 'When the quota renews.', examples: ['2026-12-01T00:00:00.000Z'] }),
    })
    .optional()
    .meta({ description: 'Usage of the quota; only with QUOTA_EXCEEDED.' }),
});

type ErrorEnvelope = z.output<typeof errorEnvelope>;

/** An error envelope whose code is added later. */
type ErrorExample = Omit<ErrorEnvelope, 'code'>;

/** The errors of every endpoint, except wrong parameters, whose example depends on the endpoint. */
const commonErrors = {
  MISSING_API_KEY: {
    error:
      'Send your API key in the header X-API-Key, as Authorization: Bearer, or in the query parameter api_key.',
  },
  INVALID_API_KEY: { error: 'This API key is not valid. It may have been replaced by a new one.' },
  PLAN_REQUIRED: { error: 'The plan "free" has no API access.' },
  PAYLOAD_TOO_LARGE: { error: 'The body must have at most 256 KiB.' },
  RATE_LIMITED: { error: 'A key may make 5 requests per second. Try again in 1 s.' },
  INTERNAL_ERROR: { error: 'Something went wrong on our side. Try again later.' },
  SERVICE_UNAVAILABLE: { error: 'The tracking service did not answer in time. Try again.' },
} as const satisfies Partial<Record<ErrorCode, ErrorExample>>;

/** On a new system the first application and the first competitor have this id. */
const existing = { id: 1 };

const quotaUsageExample = {
  api_requests: 10_000,
  api_requests_per_month: 10_000,
  renews_at: '2026-12-01T00:00:00.000Z',
};

/** The failures of an endpoint by HTTP status; each error code of a status has an example. */
export function toFailureResponses(route: Route): Record<string, Json> {
  const byStatus = new Map<number, Map<ErrorCode, ErrorExample>>();
  for (const [code, example] of listFailures(route)) {
    const [status] = errorCodes[code];
    byStatus.set(status, (byStatus.get(status) ?? new Map()).set(code, example));
  }
  return Object.fromEntries(
    [...byStatus].map(([status, examples]) => [status, toFailureResponse(status, examples)]),
  );
}

function listFailures(route: Route): [ErrorCode, ErrorExample][] {
  const routeErrors = Object.entries(route.errors).map(([code, error]) => [
    code,
    code === 'DUPLICATE' ? { error, details: existing } : { error },
  ]);
  const quotaExceeded: ErrorExample = {
    error: explainQuotaExceeded(quotaUsageExample),
    usage: quotaUsageExample,
  };
  return [
    ['INVALID_PARAMS', toInvalidParamsExample(route)],
    ...Object.entries(commonErrors),
    ...routeErrors,
    ...(route.cost > 0 ? [['QUOTA_EXCEEDED', quotaExceeded]] : []),
  ] as [ErrorCode, ErrorExample][];
}

/** The endpoint's answer to an empty body and "x" for every parameter. */
function toInvalidParamsExample(route: Route): ErrorExample {
  const sent = { params: setAllToX(route.params), query: setAllToX(route.query), body: {} };
  const { problem } = checkInput(route, sent);
  // Nothing to validate: the endpoint has no parameters and no body. The HTTP server can still refuse the request.
  if (!problem) return { error: 'The headers of the request are too large.' };
  return { error: problem.message, details: problem.details };
}

function setAllToX({ shape }: z.ZodObject): Record<string, unknown> {
  return Object.fromEntries(Object.keys(shape).map((name) => [name, 'x']));
}

function toFailureResponse(status: number, examples: ReadonlyMap<ErrorCode, ErrorExample>): Json {
  const headerNames = ['X-Request-Id', ...(headersByStatus[status] ?? [])];
  const codes = [...examples.keys()];
  return {
    description: `${statusTexts[status]} Codes: ${codes.join(', ')}.`,
    headers: Object.fromEntries(headerNames.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
    content: {
      'application/json': {
        schema: {
          allOf: [{ $ref: '#/components/schemas/Error' }, { properties: { code: { enum: codes } } }],
        },
        examples: Object.fromEntries(
          [...examples].map(([code, example]) => [code, { value: { ...example, code } }]),
        ),
      },
    },
  };
}
