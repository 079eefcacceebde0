import { setTimeout as sleep } from 'node:timers/promises';
import { controlSocketPath } from '@shelfwise/embedded/claim-data-folder';
import { StartError } from '@shelfwise/runtime/process/start-error';
import { databaseFingerprint, fetchProcessState, type ProcessState } from './control-socket.ts';

const waitMs = 10_000;
const pollMs = 200;

/**
 * The system that runs on the data folder; null when none does. Waits up to ten seconds for a process that is starting
 * or stopping.
 * @throws StartError when it is not ready by then, or uses another database than that of the settings
 */
export async function findRunningProcess(
  dataDir: string,
  settings: Parameters<typeof databaseFingerprint>[0],
): Promise<ProcessState | null> {
  const socketPath = controlSocketPath(dataDir);
  const giveUpAt = Date.now() + waitMs;
  for (;;) {
    const found = await fetchProcessState(socketPath);
    if (found === null) return null;
    if (settings.MONGODB_URI !== undefined && found.database !== databaseFingerprint(settings))
      throw new StartError(
        `The Shelfwise that runs on ${dataDir} uses another database than MONGODB_URI and MONGODB_PREFIX. Unset MONGODB_URI to use its database, or set SHELFWISE_DATA_DIR to another folder.`,
      );
    if (found.state === 'running') return found;
    if (Date.now() > giveUpAt)
      throw new StartError(`The Shelfwise on ${dataDir} is still ${found.state}. Try again in a moment.`);
    await sleep(pollMs);
  }
}
