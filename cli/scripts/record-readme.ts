import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { pasteReadme } from '../test/harness/paste-readme.ts';

// Writes what the commands of the README print into it:
//   node --import tsx --conditions=shelfwise-source cli/scripts/record-readme.ts
const file = fileURLToPath(new URL('../README.md', import.meta.url));
writeFileSync(file, await pasteReadme(readFileSync(file, 'utf8'), { tries: 5 }));
