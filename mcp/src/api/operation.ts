/** A JSON Schema (2020-12), as far as it is read here. */
export type JsonSchema = {
  type?: string | string[];
  description?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  additionalProperties?: boolean | JsonSchema;
  pattern?: string;
  [keyword: string]: unknown;
};

/** One endpoint of the API, from its OpenAPI document. `scripts/write-operations.ts` writes them all. */
export type Operation = {
  id: string;
  method: string;
  /** with placeholders: /api/v1/applications/{id} */
  path: string;
  /** API requests of the monthly quota that a call spends */
  cost: 0 | 1;
  /** The API answers within this time. */
  deadlineMs: number;
  /** The names of the parameters, by where they are sent. */
  parameters: { path: string[]; query: string[]; body: string[] };
  /** All parameters as one object. */
  input: JsonSchema;
  /** {data} or {data, meta} */
  answer: JsonSchema;
};
