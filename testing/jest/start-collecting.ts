import { mkdirSync, mkdtempSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file system in memory, of Linux. Waiting for a disk proves nothing in tests. */
const memory = '/dev/shm';
const roomBytes = 2 * 2 ** 30;

/**
 * Before a run (`globalSetup` of jest): what its processes write for a while is in a folder of the run, which its end
 * removes, and in memory where there is room. They have databases there, and collect the product's queries.
 */
export default function startCollecting(): void {
  const folder = mkdtempSync(join(hasRoom() ? memory : tmpdir(), 'sw-'));
  process.env.TMPDIR = folder;
  process.env.TEST_FOLDER = folder;
  process.env.COLLECTED_QUERIES = join(folder, 'queries');
  process.env.TEST_DATABASES = join(folder, 'databases');
  for (const own of ['queries', 'databases']) mkdirSync(join(folder, own));
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize > roomBytes;
  } catch {
    return false;
  }
}
