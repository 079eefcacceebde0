import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Before a run (`globalSetup` of jest): its processes collect the product's queries in this folder. */
export default function startCollecting(): void {
  process.env.COLLECTED_QUERIES = mkdtempSync(join(tmpdir(), 'shelfwise-queries-'));
}
