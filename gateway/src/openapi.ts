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

const description = `Ranks and keywords of App Store and Google Play apps.

Every answer is \`{data}\` or \`{data, meta}\` with status 200, or \`{error, code}\` with another one.
A key may make 5 requests in any second and fewer than 60 in any minute; a refused request does not count.
Null always means: we do not have it. A null rank means not ranked in the snapshot.
Days are UTC.`;

/** The OpenAPI 3.1 document of these routes. */
export function createOpenApiDocument(routes: readonly Route[]): Json {
  const paths: Record<string, Json> = {};
  for (const route of routes)
    paths[route.path] = { ...paths[route.path], [route.method]: toOperation(route) };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Shelfwise API',
      version: '1.0.0',
      description,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ header_key: [] }, { query_key: [] }],
    paths,
    components: {
      securitySchemes: {
        header_key: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
        query_key: { type: 'apiKey', in: 'query', name: 'api_key' },
      },
      headers,
      schemas: { Error: toJsonSchema(errorEnvelope, 'output') },
    },
  };
}

function toOperation(route: Route): Json {
  return {
    operationId: route.operationId,
    summary: route.summary,
    description: route.cost === 0 ? route.description : `${route.description} Spends one API request.`,
    parameters: [...toParameters(route.params, 'path'), ...toParameters(route.query, 'query')],
    ...(route.body && {
      requestBody: { required: true, content: json(toJsonSchema(route.body, 'input')) },
    }),
    responses: { 200: toSuccess(route), ...toFailures(route) },
  };
}

function toParameters(fields: z.ZodObject, place: 'path' | 'query'): Json[] {
  const { properties = {}, required = [] } = toJsonSchema(fields, 'input') as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: place,
    required: required.includes(name),
    ...(description !== undefined && { description }),
    schema,
  }));
}

function toSuccess({ data, meta }: Route): Json {
  const envelope = meta ? z.object({ data, meta }) : z.object({ data });
  return {
    description: 'Done.',
    headers: { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } },
    content: json(toJsonSchema(envelope, 'output')),
  };
}

function toFailures({ errors, cost }: Route): Json {
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
    content: json({
      allOf: [{ $ref: '#/components/schemas/Error' }, { properties: { code: { enum: codes } } }],
    }),
  };
}

const headersByStatus: Readonly<Record<number, readonly string[]>> = {
  429: ['Retry-After', 'X-RateLimit-Limit', 'X-RateLimit-Reset'],
  503: ['Retry-After'],
};

const headers = {
  'X-Request-Id': { description: 'Names this call in every log.', schema: { type: 'string' } },
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 1 } },
  'X-RateLimit-Limit': {
    description: 'The window that is full; only with RATE_LIMITED.',
    schema: { type: 'integer', enum: [5, 60] },
  },
  'X-RateLimit-Reset': {
    description: 'When it has room again, as Unix seconds; only with RATE_LIMITED.',
    schema: { type: 'integer' },
  },
};

const errorEnvelope = z.object({
  error: z.string().meta({ description: 'What went wrong, for a person.' }),
  code: z.enum(Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]]),
  details: z
    .object({
      issues: z.object({
        formErrors: z.array(z.string()),
        fieldErrors: z.record(z.string(), z.array(z.string())),
      }),
      notes: z.array(z.string()),
    })
    .optional()
    .meta({ description: 'Every wrong field by its name.' }),
  usage: z
    .object({
      api_requests: z.int(),
      api_requests_per_month: z.int(),
      renews_at: z.iso.datetime(),
    })
    .optional()
    .meta({ description: 'How the month stands; only with QUOTA_EXCEEDED.' }),
});

function json(schema: Json): Json {
  return { 'application/json': { schema } };
}

/** JSON Schema 2020-12, which is OpenAPI 3.1's own. */
function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io });
  return rest;
}
