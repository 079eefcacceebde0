import { type ErrorCode, errorCodes } from '@shelfwise/runtime/errors';
import { z } from 'zod';
import type { Route } from './define-route.ts';
import { sayQuotaExceeded } from './middleware/enforce-quota.ts';
import { checkInput } from './middleware/parse-input.ts';

type Json = Record<string, unknown>;

const statusTexts: Readonly<Record<number, string>> = {
  400: 'The request is wrong; details name every wrong field.',
  401: 'No valid API key.',
  403: 'The plan does not allow it.',
  404: 'Not found.',
  409: 'It exists already.',
  413: 'The body has more than 256 KiB.',
  429: 'Too many requests.',
  500: 'Something went wrong on our side.',
  502: 'A store could not be read. Try again later.',
  503: 'A service is down or too slow. Try again after Retry-After seconds.',
};

const headersByStatus: Readonly<Record<number, readonly string[]>> = {
  429: ['Retry-After', 'X-RateLimit-Limit', 'X-RateLimit-Reset'],
  503: ['Retry-After'],
};

/** Headers of answers, as the document's components. */
export const headers = {
  'X-Request-Id': {
    description: 'Names this call in every log.',
    schema: { type: 'string', maxLength: 64, examples: ['7c9e6679-7425-40de-944b-e07fc1f90ae7'] },
  },
  'Retry-After': {
    description: 'Seconds to wait.',
    schema: { type: 'integer', minimum: 1, maximum: 60, examples: [1] },
  },
  'X-RateLimit-Limit': {
    description: 'The window that is full; only with RATE_LIMITED.',
    schema: { type: 'integer', enum: [5, 60], examples: [5] },
  },
  'X-RateLimit-Reset': {
    description: 'When it has room again, as Unix seconds; only with RATE_LIMITED.',
    schema: { type: 'integer', minimum: 0, maximum: 253_402_300_799, examples: [1795292401] },
  },
};

/** What every failure looks like. */
export const errorEnvelope = z.object({
  error: z.string().meta({ description: 'What went wrong, for a person.', examples: ['app_id is required'] }),
  code: z
    .enum(Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]])
    .meta({ description: 'What went wrong, for a program.', examples: ['INVALID_PARAMS'] }),
  details: z
    .object({
      issues: z
        .object({
          formErrors: z.array(z.string()).meta({
            description: 'What is wrong with the request as a whole.',
            examples: [['The body is not valid JSON.']],
          }),
          fieldErrors: z.record(z.string(), z.array(z.string())).meta({
            description: 'What is wrong with each field, by its name.',
            examples: [{ app_id: ['is required'] }],
          }),
        })
        .meta({ description: 'What is wrong.' }),
      notes: z.array(z.string()).meta({
        description: 'What else helps to mend it.',
        examples: [['kw_field was ignored: Google Play has no keywords field.']],
      }),
    })
    .optional()
    .meta({ description: 'Every wrong field by its name.' }),
  usage: z
    .object({
      api_requests: z
        .int()
        .min(0)
        .meta({ description: 'Spent this month.', examples: [10_000] }),
      api_requests_per_month: z
        .int()
        .min(0)
        .meta({ description: 'What the plan has.', examples: [10_000] }),
      renews_at: z.iso
        .datetime()
        .meta({ description: 'When the next month begins.', examples: ['2026-12-01T00:00:00.000Z'] }),
    })
    .optional()
    .meta({ description: 'How the month stands; only with QUOTA_EXCEEDED.' }),
});

type Failure = z.output<typeof errorEnvelope>;

/** What stands beside the code. */
type FailureExample = Omit<Failure, 'code'>;

/** What every endpoint can answer beside its own errors, but for wrong parameters, which are its own too. */
const commonFailures = {
  MISSING_API_KEY: {
    error: 'Send your API key in the header X-API-Key or in the query parameter api_key.',
  },
  INVALID_API_KEY: { error: 'This API key is not valid. It may have been replaced by a new one.' },
  PLAN_REQUIRED: { error: 'The plan "free" has no API access.' },
  PAYLOAD_TOO_LARGE: { error: 'The body may have 256 KiB at most.' },
  RATE_LIMITED: { error: 'A key may make 5 requests per second. Try again in 1 s.' },
  INTERNAL_ERROR: { error: 'Something went wrong on our side. Try again later.' },
  SERVICE_UNAVAILABLE: { error: 'The gateway cannot reach its database. Try again.' },
} as const satisfies Partial<Record<ErrorCode, FailureExample>>;

const spentMonth = {
  api_requests: 10_000,
  api_requests_per_month: 10_000,
  renews_at: '2026-12-01T00:00:00.000Z',
};

/** The failures of an endpoint by their HTTP status, each of their codes with an example. */
export function toFailures(route: Route): Record<string, Json> {
  const byStatus = new Map<number, Map<ErrorCode, FailureExample>>();
  for (const [code, example] of failuresOf(route)) {
    const [status] = errorCodes[code];
    byStatus.set(status, (byStatus.get(status) ?? new Map()).set(code, example));
  }
  return Object.fromEntries([...byStatus].map(([status, examples]) => [status, toFailure(status, examples)]));
}

function failuresOf(route: Route): [ErrorCode, FailureExample][] {
  const own = Object.entries(route.errors).map(([code, error]) => [code, { error }]);
  const ofQuota = { error: sayQuotaExceeded(spentMonth), usage: spentMonth };
  return [
    ['INVALID_PARAMS', wrongParameters(route)],
    ...Object.entries(commonFailures),
    ...own,
    ...(route.cost > 0 ? [['QUOTA_EXCEEDED', ofQuota]] : []),
  ] as [ErrorCode, FailureExample][];
}

/** What the endpoint answers when each parameter is an x, and its body empty. */
function wrongParameters(route: Route): FailureExample {
  const sent = { params: allX(route.params), query: allX(route.query), body: {} };
  const { problem } = checkInput(route, sent);
  // Where nothing is taken nothing of it can be wrong; the request itself still can.
  if (!problem) return { error: 'The headers of the request are too large.' };
  return { error: problem.message, details: problem.details };
}

function allX({ shape }: z.ZodObject): Record<string, unknown> {
  return Object.fromEntries(Object.keys(shape).map((name) => [name, 'x']));
}

function toFailure(status: number, examples: ReadonlyMap<ErrorCode, FailureExample>): Json {
  const names = ['X-Request-Id', ...(headersByStatus[status] ?? [])];
  const codes = [...examples.keys()];
  return {
    description: `${statusTexts[status]} Codes: ${codes.join(', ')}.`,
    headers: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
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
