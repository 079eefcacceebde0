import { mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file system in memory, of Linux. Waiting for a disk proves nothing in tests. */
const memory = '/dev/shm';
const roomBytes = 2 * 2 ** 30;

/**
 * Before a run (`globalSetup` of jest): what its processes write for a while is in a folder of the run, which its end
 * removes, and in memory where there is room. They collect the product's queries there.
 */
export default function startCollecting(): void {
  const root = hasRoom() ? memory : tmpdir();
  removeLeftovers(root);
  const folder = mkdtempSync(join(root, `sw-${process.pid}-`));
  process.env.TMPDIR = folder;
  process.env.TEST_FOLDER = folder;
  process.env.COLLECTED_QUERIES = join(folder, 'queries');
  mkdirSync(process.env.COLLECTED_QUERIES);
}

/** Of runs that were killed: in memory they would stay until the machine starts again. */
function removeLeftovers(root: string): void {
  for (const name of readdirSync(root)) {
    const pid = /^sw-(\d+)-/.exec(name)?.[1];
    if (pid !== undefined && !isRunning(Number(pid)))
      rmSync(join(root, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Of another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize > roomBytes;
  } catch {
    return false;
  }
}
