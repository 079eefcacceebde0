import { toPascal } from './name-schemas.ts';
import type { Schema } from './openapi-types.ts';
import type { ClientOperation, PreparedDocument } from './prepare-document.ts';

/** Names of parameters that are words of Python: they end with an underscore there, which the client removes. */
const pythonWords = ['as', 'class', 'from', 'global', 'in', 'is', 'lambda', 'not', 'or', 'with'];

export const toSnake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const toPythonName = (name: string) => (pythonWords.includes(name) ? `${name}_` : name);

/** The schemas whose parameters can be written as keyword arguments. */
export function toPythonSchemas({ operations, schemas }: PreparedDocument): Record<string, Schema> {
  const inputs = new Set(operations.map(({ id }) => `${toPascal(id)}Input`));
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [
      name,
      inputs.has(name) ? renameParameters(schema) : schema,
    ]),
  );
}

function renameParameters({ properties = {}, required = [], ...rest }: Schema): Schema {
  return {
    ...rest,
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, schema]) => [toPythonName(name), schema]),
    ),
    required: required.map(toPythonName),
  };
}

/** The endpoints as a table for the client, and as its methods. */
export function writePython(operations: readonly ClientOperation[], fingerprint: string): string {
  const paged = operations.filter(({ rows }) => rows !== null);
  return `# Written by \`npm run clients:generate\` from the OpenAPI document. Do not change it here.
from __future__ import annotations

from typing import TYPE_CHECKING, Iterator

from ..operation import Answer, Caller, Operation

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from . import schemas

FINGERPRINT = "${fingerprint}"
"""Of what all generated files were made from."""

OPERATIONS: dict[str, Operation] = {
${operations.map(toEntry).join('\n')}
}
"""The endpoints, by the names of their methods."""


class Operations(Caller):
    """A method for each endpoint."""
${operations.map(toMethod).join('')}

class Rows(Caller):
    """The rows of each list with pages, one page after the other."""
${paged.map((one) => toIterator(one, 'rows', `schemas.${toPascal(one.id)}Row`)).join('')}

class Pages(Caller):
    """The pages of each list, with their meta and warnings."""
${paged.map((one) => toIterator(one, 'pages', answerOf(one))).join('')}`;
}

function toEntry(operation: ClientOperation): string {
  const { id, method, path, parameters, deadlineSeconds, isRepeatable, rows } = operation;
  const values = {
    method: JSON.stringify(method),
    path: JSON.stringify(path),
    query: toTuple(parameters.query),
    body: toTuple(parameters.body),
    deadline_seconds: String(deadlineSeconds),
    is_repeatable: toPython(isRepeatable),
    is_paged: toPython(rows !== null),
    rows_field: toPython(rows?.field ?? null),
    cursor: toPython(rows?.cursor ?? null),
  };
  const lines = Object.entries(values).map(([name, value]) => `        ${name}=${value},`);
  return [`    "${toSnake(id)}": Operation(`, ...lines, '    ),'].join('\n');
}

function toTuple(names: readonly string[]): string {
  const quoted = names.map((name) => JSON.stringify(name));
  return quoted.length === 1 ? `(${quoted[0]},)` : `(${quoted.join(', ')})`;
}

function toPython(value: string | boolean | null): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return JSON.stringify(value);
}

function toMethod(operation: ClientOperation): string {
  const name = toSnake(operation.id);
  return `
    def ${name}(self${inputOf(operation)}) -> ${answerOf(operation)}:
        ${toDocstring(operation.text)}
        return self._call(OPERATIONS["${name}"], ${sentOf(operation)})
`;
}

function toIterator(operation: ClientOperation, kind: 'rows' | 'pages', item: string): string {
  const name = toSnake(operation.id);
  return `
    def ${name}(self${inputOf(operation)}) -> Iterator[${item}]:
        ${toDocstring(operation.text)}
        return self._${kind}(OPERATIONS["${name}"], ${sentOf(operation)})
`;
}

const hasInput = ({ parameters }: ClientOperation) =>
  Object.values(parameters).some((names) => names.length > 0);

function inputOf(operation: ClientOperation): string {
  return hasInput(operation) ? `, **sent: Unpack[schemas.${toPascal(operation.id)}Input]` : '';
}

/** A TypedDict is no dict to a type checker, but it is a mapping. */
function sentOf(operation: ClientOperation): string {
  return hasInput(operation) ? 'sent' : '{}';
}

function answerOf({ id }: ClientOperation): string {
  return `Answer[schemas.${toPascal(id)}Data, schemas.${toPascal(id)}Meta]`;
}

function toDocstring(text: string): string {
  const safe = text.replaceAll('\\', '\\\\').replaceAll('"""', "'''").replaceAll('\n', ' ');
  return `"""${safe.endsWith('"') ? `${safe} ` : safe}"""`;
}
