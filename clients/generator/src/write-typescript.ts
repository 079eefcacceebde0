import { toPascal } from './name-schemas.ts';
import type { ClientOperation } from './prepare-document.ts';

/** The endpoints as a table for the client, and as the types of its methods. */
export function writeTypeScript(operations: readonly ClientOperation[], fingerprint: string): string {
  const paged = operations.filter(({ rows }) => rows !== null);
  return `// Written by \`npm run clients:generate\` from the OpenAPI document. Do not change it here.
import type { Answer, CallOptions, Operation } from '../operation.ts';
import type * as schemas from './schemas.ts';

/** Of what all generated files were made from. */
export const fingerprint = '${fingerprint}';

/** The endpoints, by the operationId of the document. */
export const operations = ${JSON.stringify(Object.fromEntries(operations.map(toEntry)), null, 2)} as const satisfies Readonly<Record<string, Operation>>;

/** A method for each endpoint. */
export interface Operations {
${operations.map(toMethod).join('\n')}
}

/** The rows of each list with pages, one page after the other. */
export interface Rows {
${paged.map((one) => toIterator(one, `schemas.${toPascal(one.id)}Row`)).join('\n')}
}

/** The pages of each list, with their meta and warnings. */
export interface Pages {
${paged.map((one) => toIterator(one, answerOf(one))).join('\n')}
}
`;
}

function toEntry(operation: ClientOperation): [string, object] {
  const { id, method, path, parameters, deadlineSeconds, isRepeatable, rows } = operation;
  const { query, body } = parameters;
  return [id, { method, path, query, body, deadlineMs: deadlineSeconds * 1000, isRepeatable, rows }];
}

function toMethod(operation: ClientOperation): string {
  return `${toComment(operation.text)}
  ${operation.id}(${inputOf(operation)}options?: CallOptions): Promise<${answerOf(operation)}>;`;
}

function toIterator(operation: ClientOperation, item: string): string {
  return `${toComment(operation.text)}
  ${operation.id}(${inputOf(operation)}options?: CallOptions): AsyncGenerator<${item}, void, undefined>;`;
}

/** An endpoint without parameters takes an empty object, so that the options come second everywhere. */
function inputOf({ id, parameters, isInputOptional }: ClientOperation): string {
  const hasInput = Object.values(parameters).some((names) => names.length > 0);
  const type = hasInput ? `schemas.${toPascal(id)}Input` : 'Record<string, never>';
  return `input${isInputOptional ? '?' : ''}: ${type}, `;
}

function answerOf({ id }: ClientOperation): string {
  return `Answer<schemas.${toPascal(id)}Data, schemas.${toPascal(id)}Meta>`;
}

function toComment(text: string): string {
  return `  /** ${text.replaceAll('*/', '* /').replaceAll('\n', ' ')} */`;
}
