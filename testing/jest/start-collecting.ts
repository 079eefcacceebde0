import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Before a run (`globalSetup` of jest): its processes collect the product's queries and have databases in these folders. */
export default function startCollecting(): void {
  process.env.COLLECTED_QUERIES = mkdtempSync(join(tmpdir(), 'shelfwise-queries-'));
  process.env.TEST_DATABASES = mkdtempSync(join(tmpdir(), 'shelfwise-databases-'));
}
