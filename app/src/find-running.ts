import { setTimeout as sleep } from 'node:timers/promises';
import { controlSocketPath } from '@shelfwise/embedded/claim-data-folder';
import { StartError } from '@shelfwise/runtime/process/start-error';
import { databaseMark, type HolderState, holderState } from './control.ts';

const waitMs = 10_000;
const lookEveryMs = 200;

/**
 * What runs on the data folder; null when nothing does. A process that starts or ends is waited for, ten seconds at
 * most.
 * @throws StartError when it is not ready by then, or works on another database than the one that the settings name
 */
export async function findRunning(
  dataDir: string,
  { MONGODB_URI: uri }: { MONGODB_URI?: string | undefined },
): Promise<HolderState | null> {
  const socketPath = controlSocketPath(dataDir);
  const giveUpAt = Date.now() + waitMs;
  for (;;) {
    const holder = await holderState(socketPath);
    if (holder === null) return null;
    if (uri !== undefined && holder.database !== databaseMark(uri)) throw otherDatabase(dataDir);
    if (holder.state === 'running') return holder;
    const command = commands[holder.state];
    if (command !== undefined)
      throw new StartError(
        `${command}, process ${holder.pid}) is at work on ${dataDir}. Wait until it is over, or end it with Ctrl-C.`,
      );
    if (Date.now() > giveUpAt)
      throw new StartError(`The Shelfwise on ${dataDir} is still ${holder.state}. Try again in a moment.`);
    await sleep(lookEveryMs);
  }
}

/** Those that take their time; an account command is over at once. */
const commands: Partial<Record<HolderState['state'], string>> = {
  'snapshot-command': 'A snapshot run (npm run snapshot',
  'scores-command': 'A scores command (npm run scores',
};

function otherDatabase(dataDir: string): StartError {
  return new StartError(
    `A Shelfwise runs on ${dataDir} with another database than MONGODB_URI. Unset MONGODB_URI to use its own, or set SHELFWISE_DATA_DIR to another folder.`,
  );
}
