import { z } from 'zod';
import { maxUnknownParameters } from '../middleware/unknown-parameters.ts';
import type { Route } from '../routes/route/define-route.ts';

export type Json = Record<string, unknown>;

/** A JSON schema, as far as it is changed here. */
export type Schema = Json & { properties?: Record<string, Schema>; anyOf?: Schema[] };

/** The schema of an endpoint's own answer, as its handler returns it. */
export function toAnswerSchema({ data, meta }: Pick<Route, 'data' | 'meta'>): Schema {
  const fields: { data: z.ZodType; meta?: z.ZodType } = {
    data: withDescription(data, 'The requested data.'),
  };
  if (meta) fields.meta = withDescription(meta, 'Information about the data.');
  return toJsonSchema(z.object(fields), 'output');
}

/** The schema of an answer to a request that may have unknown parameters: every answer may have warnings of them. */
export function allowUnknownParameters(answer: Schema): Schema {
  const { meta = emptyMeta } = answer.properties ?? {};
  return { ...answer, properties: { ...answer.properties, meta: allowInMeta(meta) } };
}

/** An endpoint without its own meta has one only when there are warnings. */
const emptyMeta: Schema = {
  type: 'object',
  properties: {},
  required: ['warnings'],
  additionalProperties: false,
  description: 'Absent when there is nothing to warn of.',
};

const sentence =
  'unknown_parameter: a query parameter that the endpoint does not have was ignored; its name follows, cut to 40 characters.';
const unknownParameter: Schema = { type: 'string', pattern: '^unknown_parameter: ' };

function allowInMeta({ anyOf, properties, ...meta }: Schema): Schema {
  if (anyOf) return { ...meta, anyOf: anyOf.map(allowInMeta) };
  return { ...meta, properties: { ...properties, warnings: allowInWarnings(properties?.warnings) } };
}

function allowInWarnings(own: Schema | undefined): Schema {
  return {
    type: 'array',
    items: own ? { anyOf: [own.items, unknownParameter] } : unknownParameter,
    maxItems: Number(own?.maxItems ?? 0) + maxUnknownParameters,
    description: `${own?.description ?? 'Absent when there are none.'} ${sentence}`,
    examples: [...((own?.examples as unknown[] | undefined) ?? []), ['unknown_parameter: sort']],
  };
}

/** JSON Schema 2020-12, the schema dialect of OpenAPI 3.1. */
export function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): Schema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io });
  return rest as Schema;
}

/** Adds a default description to a schema that has none. */
function withDescription(schema: z.ZodType, description: string): z.ZodType {
  return schema.meta()?.description ? schema : schema.meta({ ...schema.meta(), description });
}
