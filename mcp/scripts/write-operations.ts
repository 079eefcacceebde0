/**
 * Writes the endpoints of the API into src/gen/operations.ts: the tools take their schemas from there, and the packed server
 * needs no gateway.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { createOperations } from './create-operations.ts';

const folder = new URL('../src/gen/', import.meta.url);
mkdirSync(folder, { recursive: true });
writeFileSync(
  new URL('operations.ts', folder),
  `import type { Operation } from '../api/operation.ts';

/** The endpoints of the API, by the operationId of their document. */
export const operations: Readonly<Record<string, Operation>> = ${JSON.stringify(createOperations(), null, 1)};
`,
);
