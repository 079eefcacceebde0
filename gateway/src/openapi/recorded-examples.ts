import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** An example of an answer, as OpenAPI shows it. The summary says which lists are shortened. */
export type RecordedExample = { summary: string; value: { data: unknown; meta?: unknown } };

export type ReadExample = (operationId: string) => RecordedExample | undefined;

/** Written by `npm run record-examples`, one file for each endpoint. Sources and build are equally deep below `gateway/`. */
export const examplesFolder = join(import.meta.dirname, '../../examples');

export function exampleFile(operationId: string): string {
  const name = operationId.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return join(examplesFolder, `${name}.json`);
}

/** The recorded answer of an endpoint; undefined when it was not recorded yet. */
export const readExample: ReadExample = (operationId) => {
  const file = exampleFile(operationId);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
};
