/** A JSON Schema (2020-12), as far as it is read here. */
export type Schema = {
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  additionalProperties?: boolean | Schema;
  default?: unknown;
  $ref?: string;
  [keyword: string]: unknown;
};

export type Parameter = {
  name: string;
  in: 'path' | 'query';
  required: boolean;
  description?: string;
  schema: Schema;
};

type Content = { content: { 'application/json': { schema: Schema } } };

export type Operation = {
  operationId: string;
  summary: string;
  description: string;
  'x-deadline-seconds': number;
  parameters: Parameter[];
  requestBody?: Content;
  responses: Record<string, Content>;
};

/** The OpenAPI document of the API, as far as it is read here. */
export type OpenApiDocument = {
  info: { title: string; version: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: { Error: Schema } };
};
