import { setImmediate } from 'node:timers/promises';
import type { z } from 'zod';
import { toCsvChunks } from '../http/csv.ts';
import type { CsvTable } from '../routes/route/csv-table.ts';
import type { Route } from '../routes/route/define-route.ts';
import { tags } from '../routes/route/tags.ts';
import {
  allowUnknownParameters,
  type Json,
  type Schema,
  toAnswerSchema,
  toJsonSchema,
} from './answer-schema.ts';
import { errorEnvelope, headers, toFailureResponses } from './failure-responses.ts';
import type { ReadExample, RecordedExample } from './recorded-examples.ts';

const apiDescription = `Ranks, keywords, competitors, niches and charts of the App Store and Google Play.

A successful answer has status 200, or 202 where a job begins, and is \`{data}\` or \`{data, meta}\`; any other status comes with \`{error, code}\`.
A key may make 5 requests in any second and fewer than 60 in any minute; refused requests do not count.
Missing data is \`null\`; nothing is made up. A null rank means that the app is not ranked in the snapshot.
Days are UTC. Unknown query parameters are ignored and named in \`meta.warnings\`; unknown body fields are refused.

Lists and histories are CSV (RFC 4180) for a client that sends \`Accept: text/csv\`: a header row, then one row per item. Null is an
empty cell, an empty text \`""\`. Fields of nested objects have dotted names; lists of objects are left out. Read columns by
their names: later versions add some. A text that a spreadsheet would take for a formula begins with an apostrophe. \`bom=true\` begins the
CSV with a byte order mark, so that Excel reads it as UTF-8. There is no \`meta\`,
so no warnings either: \`X-Total-Count\` has its total, and \`Link\` the next page. Errors are JSON. An endpoint without CSV answers JSON if the client
accepts that as well, and 400 otherwise.`;

/** The OpenAPI 3.1 document of these routes. */
export function createOpenApiDocument(routes: readonly Route[], readExample: ReadExample): Json {
  return toDocument(routes.map((route) => [route, toOperation(route, readExample)]));
}

/** The same, for a server: all operations at once would hold the event loop for some 150 ms. */
export async function createOpenApiDocumentInSteps(
  routes: readonly Route[],
  readExample: ReadExample,
): Promise<Json> {
  const operations: [Route, Json][] = [];
  for (const route of routes) {
    operations.push([route, toOperation(route, readExample)]);
    await setImmediate();
  }
  return toDocument(operations);
}

function toDocument(operations: readonly [Route, Json][]): Json {
  const paths: Record<string, Json> = {};
  for (const [{ path, method }, operation] of operations)
    paths[path] = { ...paths[path], [method]: operation };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Shelfwise API',
      version: '1.0.0',
      description: apiDescription,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags,
    security: [{ header_key: [] }, { bearer_key: [] }, { query_key: [] }],
    paths,
    components: {
      securitySchemes: {
        header_key: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
        bearer_key: { type: 'http', scheme: 'bearer', description: 'The API key as a bearer token.' },
        query_key: { type: 'apiKey', in: 'query', name: 'api_key' },
      },
      headers,
      schemas: { Error: toJsonSchema(errorEnvelope, 'output') },
    },
  };
}

function toOperation(route: Route, readExample: ReadExample): Json {
  const { params, query, body, sample } = route;
  return {
    operationId: route.operationId,
    tags: [route.tag],
    summary: route.summary,
    description: route.cost === 0 ? route.description : `${route.description} Spends one API request.`,
    // For generated clients: how long an answer may take.
    'x-deadline-seconds': route.deadlineMs / 1000,
    parameters: [
      ...toParameters(params, 'path', sample.params),
      ...toParameters(query, 'query', sample.query),
    ],
    requestBody: body ? toRequestBody(body, sample.body) : undefined,
    responses: {
      [route.status ?? 200]: toSuccess(route, readExample(route.operationId)),
      ...toFailureResponses(route),
    },
  };
}

function toRequestBody(body: z.ZodType, example: unknown): Json {
  return { required: true, content: json({ schema: toJsonSchema(body, 'input'), example }) };
}

function toParameters(fields: z.ZodObject, location: 'path' | 'query', sample: Json = {}): Json[] {
  const { properties = {}, required = [] } = toJsonSchema(fields, 'input') as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: location,
    required: required.includes(name),
    description,
    schema,
    example: sample[name],
  }));
}

function toSuccess(route: Route, example: RecordedExample | undefined): Json {
  const { csv } = route;
  const answer = toAnswerSchema(route);
  const headerNames = ['X-Request-Id', ...(csv ? csvHeadersOf(answer) : [])];
  const content: Json = json({
    schema: allowUnknownParameters(answer),
    examples: example && { sample: example },
  });
  if (csv) content['text/csv'] = toCsvContent(csv, example);
  return {
    description: 'Success.',
    headers: Object.fromEntries(headerNames.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
    content,
  };
}

/** CSV has no meta: each header is there when meta has its value. */
function csvHeadersOf({ properties: { meta } = {} }: Schema): string[] {
  const metas = meta?.anyOf ?? [meta];
  const has = (name: string) => metas.some((one) => one?.properties?.[name]);
  return [...(has('total') ? ['X-Total-Count'] : []), ...(has('page') ? ['Link'] : [])];
}

function toCsvContent(csv: CsvTable<unknown>, example: RecordedExample | undefined): Json {
  return {
    schema: { type: 'string', description: `RFC 4180, with the columns ${csv.columns.join(', ')}.` },
    examples: example && {
      sample: { summary: example.summary, value: toCsv(csv, example.value.data) },
    },
  };
}

function toCsv(csv: CsvTable<unknown>, data: unknown): string {
  return [...toCsvChunks(csv.columns, csv.readRows(data))].join('');
}

function json(content: Json): Json {
  return { 'application/json': content };
}
