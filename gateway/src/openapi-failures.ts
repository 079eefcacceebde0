import { type ErrorCode, errorCodes } from '@shelfwise/runtime/errors';
import { z } from 'zod';
import type { Route } from './define-route.ts';

type Json = Record<string, unknown>;

/** What every endpoint can answer beside its own errors. */
const commonErrors: readonly ErrorCode[] = [
  'INVALID_PARAMS',
  'MISSING_API_KEY',
  'INVALID_API_KEY',
  'PLAN_REQUIRED',
  'PAYLOAD_TOO_LARGE',
  'RATE_LIMITED',
  'INTERNAL_ERROR',
  'SERVICE_UNAVAILABLE',
];

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

/** One answer for each code, with what stands beside its sentence. */
const failures: Readonly<Record<ErrorCode, Omit<Failure, 'code'>>> = {
  INVALID_PARAMS: {
    error: 'country must be a country of the store, as two letters (ISO 3166-1)',
    details: {
      issues: {
        formErrors: [],
        fieldErrors: { country: ['must be a country of the store, as two letters (ISO 3166-1)'] },
      },
      notes: [],
    },
  },
  SELF_COMPETITOR: { error: 'An application cannot be its own competitor.' },
  MISSING_API_KEY: {
    error: 'Send your API key in the header X-API-Key or in the query parameter api_key.',
  },
  INVALID_API_KEY: { error: 'This API key is not valid. It may have been replaced by a new one.' },
  PLAN_REQUIRED: { error: 'The plan "free" has no API access.' },
  PLAN_LIMIT: { error: 'Your plan keeps 7 days of history. Ask for a later start.' },
  NOT_FOUND: { error: 'This account has no competitor with that id.' },
  APP_NOT_FOUND: { error: 'This account does not track an application with that id.' },
  COMPETITOR_NOT_FOUND: { error: 'The store has no such application in this storefront.' },
  METHOD_NOT_ALLOWED: { error: 'This path takes GET, HEAD, not PUT.' },
  DUPLICATE: { error: 'This account tracks the application in this storefront already.' },
  PAYLOAD_TOO_LARGE: { error: 'The body may have 256 KiB at most.' },
  RATE_LIMITED: { error: 'A key may make 5 requests per second. Try again in 1 s.' },
  QUOTA_EXCEEDED: {
    error:
      'All 10000 API requests of this month are spent. The next month begins at 2026-12-01T00:00:00.000Z.',
    usage: {
      api_requests: 10_000,
      api_requests_per_month: 10_000,
      renews_at: '2026-12-01T00:00:00.000Z',
    },
  },
  CREATE_APP_FAILED: { error: 'The application could not be saved. Try again.' },
  INTERNAL_ERROR: { error: 'Something went wrong on our side. Try again later.' },
  STORE_FETCH_FAILED: { error: 'The App Store did not answer in time. Try again later.' },
  ANALYSIS_FAILED: { error: 'The App Store did not let the analysis complete. Try again later.' },
  SERVICE_UNAVAILABLE: { error: 'The tracking service did not answer in time. Try again.' },
};

/** The failures of an endpoint by their HTTP status, each of their codes with an example. */
export function toFailures({ errors, cost }: Pick<Route, 'errors' | 'cost'>): Record<string, Json> {
  const all = [...commonErrors, ...errors, ...(cost > 0 ? (['QUOTA_EXCEEDED'] as const) : [])];
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of all) {
    const [status] = errorCodes[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries([...byStatus].map(([status, codes]) => [status, toFailure(status, codes)]));
}

function toFailure(status: number, codes: readonly ErrorCode[]): Json {
  const names = ['X-Request-Id', ...(headersByStatus[status] ?? [])];
  return {
    description: `${statusTexts[status]} Codes: ${codes.join(', ')}.`,
    headers: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
    content: {
      'application/json': {
        schema: {
          allOf: [{ $ref: '#/components/schemas/Error' }, { properties: { code: { enum: codes } } }],
        },
        examples: Object.fromEntries(codes.map((code) => [code, { value: { ...failures[code], code } }])),
      },
    },
  };
}
