import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { exampleFile, examplesFolder } from '@shelfwise/gateway/openapi/recorded-examples';
import { recordExamples } from './record-examples.ts';

// npm run record-examples: records the examples of the API document from the running sample system and writes one file for
// each endpoint.
const examples = await recordExamples();
rmSync(examplesFolder, { recursive: true, force: true });
mkdirSync(examplesFolder);
for (const [operationId, example] of Object.entries(examples))
  writeFileSync(exampleFile(operationId), `${JSON.stringify(example, null, 2)}\n`);
console.log(`recorded ${Object.keys(examples).length} examples in ${examplesFolder}`);
