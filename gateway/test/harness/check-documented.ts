import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { createOpenApiDocument } from '../../src/openapi/openapi-document.ts';
import { readExample } from '../../src/openapi/recorded-examples.ts';
import type { Route } from '../../src/routes/route/define-route.ts';

const json = 'application/json';

type Response = { content?: Record<string, { schema: object }> };

type Document = {
  paths: Record<string, Record<string, { responses: Record<string, Response> }>>;
  components: { schemas: { Error: object } };
};

type Check = (method: string, path: string, status: number, body: unknown, mediaType?: string) => void;

const checks = new WeakMap<readonly Route[], Check>();

/** The check of the answers of these routes. The files of a process share it: it compiles the schemas of all answers. */
export function checkOfRoutes(routes: readonly Route[]): Check {
  const shared = checks.get(routes) ?? createDocumentCheck(createOpenApiDocument(routes, readExample));
  checks.set(routes, shared);
  return shared;
}

/**
 * Compares an answer with the OpenAPI document. The check throws for an undocumented status, for a missing or
 * additional field, and for a value outside its documented type or range.
 */
export function createDocumentCheck(openApi: object): Check {
  const document = openApi as Document;
  const ajv = new Ajv2020({ strict: false, allErrors: true, inlineRefs: false });
  ajv.addFormat('date', /^\d{4}-\d{2}-\d{2}$/);
  ajv.addFormat('date-time', /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/);
  ajv.addSchema({ components: document.components }, 'openapi');
  const templates = Object.keys(document.paths).map((template) => ({
    template,
    pattern: new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`),
  }));
  const bySchema = new WeakMap<object, ValidateFunction>();
  /** Most failures of all endpoints have the same schema. */
  const byText = new Map<string, ValidateFunction>();

  function compile(schema: object): ValidateFunction {
    const known = bySchema.get(schema);
    if (known) return known;
    const text = JSON.stringify(schema).replaceAll('"#/components/', '"openapi#/components/');
    const validate = byText.get(text) ?? ajv.compile(JSON.parse(text));
    byText.set(text, validate);
    bySchema.set(schema, validate);
    return validate;
  }

  function findTemplate(method: string, path: string): string | undefined {
    const [plain = ''] = path.split('?');
    return templates.find(
      ({ template, pattern }) => document.paths[template]?.[method] && pattern.test(plain),
    )?.template;
  }

  return function check(method, path, status, body, mediaType = json) {
    const template = findTemplate(method.toLowerCase(), path);
    const validate = compile(
      template
        ? findSchema(document, template, method, status, mediaType)
        : document.components.schemas.Error,
    );
    if (validate(body)) return;
    const problems = ajv.errorsText(validate.errors, { dataVar: `${method} ${path} ${status}` });
    throw new Error(`not as documented: ${problems}`);
  };
}

function findSchema(
  { paths }: Document,
  template: string,
  method: string,
  status: number,
  mediaType: string,
): object {
  const response = paths[template]?.[method.toLowerCase()]?.responses[status];
  if (!response) throw new Error(`${method} ${template} answers ${status}, which is not documented`);
  const schema = response.content?.[mediaType]?.schema;
  if (!schema)
    throw new Error(`${method} ${template} answers ${status} as ${mediaType}, which is not documented`);
  return schema;
}
