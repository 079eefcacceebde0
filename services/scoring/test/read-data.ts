import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Reads a file of `test/data`. */
export function readData<Data>(file: string): Data {
  return JSON.parse(readFileSync(join(import.meta.dirname, 'data', file), 'utf8'));
}
