import { toAnswerSchema } from '@shelfwise/gateway/openapi/answer-schema';
import { createOpenApiDocument } from '@shelfwise/gateway/openapi/openapi-document';
import { routes } from '@shelfwise/gateway/routes/index';
import { csvParameters } from '@shelfwise/gateway/routes/route/csv-table';
import type { Route } from '@shelfwise/gateway/routes/route/define-route';
import type { JsonSchema, Operation } from '../src/api/operation.ts';

type Parameter = {
  name: string;
  in: 'path' | 'query';
  required: boolean;
  description?: string;
  schema: JsonSchema;
};
type Described = {
  parameters: Parameter[];
  requestBody?: { content: { 'application/json': { schema: JsonSchema } } };
};

/** Names of keywords that tell a model nothing about a parameter. */
const inputNoise = ['examples'];
/** An answer is described by its types, and by what a null means. The API may be newer: fields and values may be added. */
const answerNoise = [
  'examples',
  'additionalProperties',
  'enum',
  'const',
  'pattern',
  'format',
  'minimum',
  'maximum',
  'maxItems',
];

/** Fields of answers whose values say nothing by themselves. */
const explainedFields = ['delta', 'is_partial', 'status', 'warnings'];

const document = createOpenApiDocument(routes, () => undefined);
const paths = document.paths as Record<string, Record<string, Described>>;

/** The endpoints of the API by their operationId, from the gateway's routes and its OpenAPI document. */
export function createOperations(): Record<string, Operation> {
  return Object.fromEntries(routes.map((route) => [route.operationId, toOperation(route)]));
}

function toOperation(route: Route): Operation {
  const described = paths[route.path]?.[route.method];
  if (!described) throw new Error(`the document has no ${route.operationId}`);
  // Tools read JSON.
  const parameters = described.parameters.filter(({ name }) => !Object.hasOwn(csvParameters, name));
  const body = described.requestBody?.content['application/json'].schema ?? {};
  const named = (location: 'path' | 'query') => parameters.filter((one) => one.in === location);
  return {
    id: route.operationId,
    method: route.method.toUpperCase(),
    path: route.path,
    cost: route.cost,
    deadlineMs: route.deadlineMs,
    parameters: {
      path: named('path').map(({ name }) => name),
      query: named('query').map(({ name }) => name),
      body: Object.keys(body.properties ?? {}),
    },
    input: withoutNoise(toInput(parameters, body), inputNoise, true),
    // A tool sends no unknown parameters, so its answers have no warnings of them.
    answer: withoutNoise(toAnswerSchema(route) as JsonSchema, answerNoise, false),
  };
}

function toInput(parameters: readonly Parameter[], body: JsonSchema): JsonSchema {
  const properties = Object.fromEntries(
    parameters.map(({ name, description, schema }) => [name, { ...schema, description }]),
  );
  return {
    type: 'object',
    properties: { ...properties, ...body.properties } as Record<string, JsonSchema>,
    required: [
      ...parameters.filter(({ required }) => required).map(({ name }) => name),
      ...(body.required ?? []),
    ],
    additionalProperties: false,
  };
}

function withoutNoise(schema: JsonSchema, noise: readonly string[], keepsDescriptions: boolean): JsonSchema {
  // `field` is the name of the field whose schema `value` is.
  const clean = (value: unknown, field: string): unknown => {
    if (Array.isArray(value)) return value.map((item) => clean(item, field));
    if (typeof value !== 'object' || value === null) return value;
    const isExplained =
      keepsDescriptions || explainedFields.includes(field) || isNullable(value as JsonSchema);
    return Object.fromEntries(
      Object.entries(splitTypes(value as JsonSchema))
        .filter(([name, content]) => !isNoise(name, content, isExplained))
        .map(([name, content]) => [name, clean(content, name)]),
    );
  };
  // A property may have the name of a keyword: it is a schema, not a text or a number.
  const isNoise = (name: string, content: unknown, isExplained: boolean) => {
    if (typeof content === 'object' && !Array.isArray(content)) return false;
    if (name === 'description') return !isExplained;
    return noise.includes(name) || Math.abs(Number(content)) === Number.MAX_SAFE_INTEGER;
  };
  return clean(schema, '') as JsonSchema;
}

/** Some clients accept one type only. */
function splitTypes({ type, ...rest }: JsonSchema): object {
  if (type === undefined) return rest;
  return Array.isArray(type) ? { ...rest, anyOf: type.map((one) => ({ type: one })) } : { type, ...rest };
}

function isNullable({ type, anyOf = [] }: JsonSchema): boolean {
  return [type].flat().includes('null') || anyOf.some(isNullable);
}
