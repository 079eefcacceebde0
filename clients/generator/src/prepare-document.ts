import { nameObjects, toPascal } from './name-schemas.ts';
import type { OpenApiDocument, Operation, Schema } from './openapi-types.ts';

/** One endpoint, as the clients call it. */
export type ClientOperation = {
  /** as in the document: listKeywords */
  id: string;
  method: string;
  /** with placeholders: /api/v1/applications/{id} */
  path: string;
  /** A sentence, then what the document says. */
  text: string;
  /** The names of the parameters, by where they are sent. */
  parameters: { path: string[]; query: string[]; body: string[] };
  /** Whether it can be called without any parameter. */
  isInputOptional: boolean;
  deadlineSeconds: number;
  /** Sending it again does nothing twice. */
  isRepeatable: boolean;
  /**
   * Where a list with pages has its rows: in this field of the data; null: the data are the rows. `cursor` is the parameter that
   * takes the id of the last row seen.
   */
  rows: { field: string | null; cursor: string | null } | null;
};

export type PreparedDocument = {
  operations: ClientOperation[];
  /** ListKeywordsInput, ListKeywordsData, ListKeywordsMeta, ListKeywordsRow, what is inside them, ErrorBody and ErrorCode. */
  schemas: Record<string, Schema>;
};

/** CSV is for spreadsheets: clients read JSON. */
const csvParameters = ['bom'];
/** The sentence of the document about writes that may be sent again. */
const repeatable = 'Repeating the call is safe.';

/** Gives every object of the document a name, and every endpoint one object for its parameters. */
export function prepareDocument(document: OpenApiDocument): PreparedDocument {
  const schemas: Record<string, Schema> = {};
  const { properties = {}, ...error } = document.components.schemas.Error;
  const { code = {} } = properties;
  schemas.ErrorCode = nameObjects(code, 'ErrorCode', schemas);
  nameObjects({ ...error, properties: { ...properties, code: toRef('ErrorCode') } }, 'ErrorBody', schemas);
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) =>
      prepareOperation({ path, method, operation }, schemas),
    ),
  );
  return { operations, schemas };
}

function prepareOperation(
  { path, method, operation }: { path: string; method: string; operation: Operation },
  schemas: Record<string, Schema>,
): ClientOperation {
  const { operationId: id, summary, description } = operation;
  const name = toPascal(id);
  const parameters = operation.parameters.filter((one) => !csvParameters.includes(one.name));
  const body = operation.requestBody?.content['application/json'].schema ?? {};
  const sent = (location: 'path' | 'query') =>
    parameters.filter((one) => one.in === location).map((one) => one.name);
  const byLocation = { path: sent('path'), query: sent('query'), body: Object.keys(body.properties ?? {}) };
  const required = [
    ...parameters.filter((one) => one.required).map((one) => one.name),
    ...(body.required ?? []),
  ];
  const input: Schema = {
    type: 'object',
    description: `The parameters of ${id}.`,
    properties: {
      ...Object.fromEntries(
        parameters.map((one) => [one.name, { ...one.schema, description: one.description ?? '' }]),
      ),
      ...body.properties,
    },
    required,
  };
  const names = Object.values(byLocation).flat();
  if (new Set(names).size < names.length) throw new Error(`${id} has two parameters of one name`);
  if (names.some((one) => one.endsWith('_')))
    throw new Error(`Python would cut the name of a parameter of ${id}`);
  if (names.length > 0) nameObjects(input, `${name}Input`, schemas);

  const [answer] = Object.entries(operation.responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([, { content }]) => content['application/json'].schema);
  const { data, meta } = answer?.properties ?? {};
  if (!data) throw new Error(`${id} has no data`);
  const isPaged = ['page', 'per_page'].every((one) => byLocation.query.includes(one));
  const field = isPaged ? findRows(id, data) : null;
  if (isPaged || data.type === 'array') nameRows({ name, data, field }, schemas);
  else nameType(data, `${name}Data`, schemas);
  nameType(prepareMeta(meta), `${name}Meta`, schemas);
  return {
    id,
    path,
    method: method.toUpperCase(),
    text: `${summary}. ${description}`,
    parameters: byLocation,
    isInputOptional: required.length === 0,
    deadlineSeconds: operation['x-deadline-seconds'],
    isRepeatable: method === 'get' || description.includes(repeatable),
    rows: isPaged ? { field, cursor: byLocation.query.includes('since') ? 'since' : null } : null,
  };
}

/** The field of the data that has the rows of a page; null: the data are the rows. */
function findRows(id: string, data: Schema): string | null {
  if (data.type === 'array') return null;
  const lists = Object.entries(data.properties ?? {}).filter(([, { type }]) => type === 'array');
  const [only, ...others] = lists.filter(([name]) => lists.length === 1 || name === 'rows');
  if (!only || others.length > 0) throw new Error(`the rows of ${id} are not known`);
  return only[0];
}

/** The type of a row has a name of its own. */
function nameRows(
  { name, data, field }: { name: string; data: Schema; field: string | null },
  schemas: Record<string, Schema>,
): void {
  const list = field === null ? data : data.properties?.[field];
  nameType(list?.items ?? {}, `${name}Row`, schemas);
  const rows: Schema = { ...list, items: toRef(`${name}Row`) };
  nameType(
    field === null ? rows : { ...data, properties: { ...data.properties, [field]: rows } },
    `${name}Data`,
    schemas,
  );
}

/** An object has the name itself, and so has everything else: a list of rows, too. */
function nameType(schema: Schema, name: string, schemas: Record<string, Schema>): void {
  const type = nameObjects(schema, name, schemas);
  if (!schemas[name]) schemas[name] = type;
}

/**
 * Two forms of one object become one, whose fields may be absent where a form does not have them. A client has an empty meta where
 * the answer has none.
 */
function prepareMeta({ anyOf, ...only }: Schema = {}): Schema {
  const forms = anyOf ?? [only];
  const isRequired = (field: string) =>
    field !== 'warnings' && forms.every(({ required = [] }) => required.includes(field));
  return {
    type: 'object',
    description: only.description ?? 'Information about the data.',
    properties: Object.assign({}, ...forms.map(({ properties }) => properties)),
    required: (forms[0]?.required ?? []).filter(isRequired),
  };
}

function toRef(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}
