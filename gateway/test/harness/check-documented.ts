import { Ajv2020 } from 'ajv/dist/2020.js';

const json = 'application/json';

type Document = { paths: Record<string, Record<string, { responses: Record<string, unknown> }>> };

/**
 * Compares an answer with the OpenAPI document. The check throws for an undocumented status, for a missing or
 * additional field, and for a value outside its documented type or range.
 */
export function createDocumentCheck(document: Document) {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  ajv.addFormat('date', /^\d{4}-\d{2}-\d{2}$/);
  ajv.addFormat('date-time', /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/);
  ajv.addSchema(document, 'openapi');

  return function check(method: string, path: string, status: number, body: unknown, mediaType = json): void {
    const template = findPath(document, method, path);
    const reference = template
      ? responseReference(document, template, method, status, mediaType)
      : 'openapi#/components/schemas/Error';
    // Compiled once per schema: compiling would take most of a test's time.
    const validate = ajv.getSchema(reference);
    if (!validate) throw new Error(`the document has no ${reference}`);
    if (validate(body)) return;
    const problems = ajv.errorsText(validate.errors, { dataVar: `${method} ${path} ${status}` });
    throw new Error(`not as documented: ${problems}`);
  };
}

function findPath({ paths }: Document, method: string, path: string): string | undefined {
  const [plain = ''] = path.split('?');
  return Object.keys(paths).find(
    (template) =>
      paths[template]?.[method.toLowerCase()] &&
      new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}/?$`).test(plain),
  );
}

function responseReference(
  { paths }: Document,
  template: string,
  method: string,
  status: number,
  mediaType: string,
): string {
  if (!paths[template]?.[method.toLowerCase()]?.responses[status])
    throw new Error(`${method} ${template} answers ${status}, which is not documented`);
  const pointer = [
    'paths',
    template,
    method.toLowerCase(),
    'responses',
    status,
    'content',
    mediaType,
    'schema',
  ];
  return `openapi#/${pointer.map((part) => encodeURIComponent(String(part).replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`;
}
