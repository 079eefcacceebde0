import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { backUpDatabase } from '@shelfwise/embedded/back-up-database';
import { controlSocketPath } from '@shelfwise/embedded/claim-data-folder';
import { databaseFile } from '@shelfwise/embedded/start-engine';
import { readConfig } from '@shelfwise/runtime/process/config';
import { StartError } from '@shelfwise/runtime/process/start-error';
import { type BackupSettings, backupConfig } from '../config.ts';
import { databaseFingerprint, fetchProcessState } from '../data-folder/control-socket.ts';
import { defineCommand } from './lib/define-command.ts';
import { startIfMain } from './lib/start-if-main.ts';

/** Copies the embedded database, also while Shelfwise runs. */
export const backup = defineCommand({
  usage: `Usage: npm run backup -- --to FOLDER [--json]

Copies the data folder (SHELFWISE_DATA_DIR) into a new folder, also while Shelfwise runs, and checks the copy.
To restore it: stop Shelfwise, put the copy in the place of the data folder, start Shelfwise.

  --to FOLDER   a folder that does not exist yet
  --json        print one JSON document
  --help        print this help`,
  options: { to: { type: 'string' } },
  read({ to }) {
    if (!to) throw new Error('--to FOLDER is required.');
    return to;
  },
  async run(to, { env }) {
    return { result: await copyDataFolder(to, readConfig(backupConfig, env), () => performance.now()) };
  },
  format({ folder, bytes, pages, ms }) {
    const megabytes = (bytes / 1e6).toFixed(1);
    return `Backed up ${megabytes} MB to ${folder} in ${(ms / 1000).toFixed(1)} s, and checked all ${pages} pages of the copy.`;
  },
});

/** `pages` of the copy were read and are sound. */
type BackupReport = { folder: string; bytes: number; pages: number; ms: number };

const onServer =
  'The data is on the server of MONGODB_URI. Back it up with mongodump, and restore it with mongorestore.';

/**
 * Copies the data folder into a new folder, which is itself a data folder. Only its owner can read it. The folder
 * appears when it is complete, on the disk and checked.
 * @throws StartError with a sentence that says why not
 */
async function copyDataFolder(
  to: string,
  settings: BackupSettings,
  monotonicMs: () => number,
): Promise<BackupReport> {
  const startedMs = monotonicMs();
  const dataDir = resolve(settings.SHELFWISE_DATA_DIR);
  const folder = resolve(to);
  await refuseUnusable(settings, dataDir, folder);
  const partial = `${folder}.partial-${randomBytes(3).toString('hex')}`;
  try {
    mkdirSync(dirname(partial), { recursive: true });
    mkdirSync(partial, { mode: 0o700 });
    const { bytes, pages } = await backUpDatabase(dataDir, databaseFile(partial));
    const key = join(dataDir, 'demo-key');
    if (existsSync(key)) copyFileSync(key, join(partial, 'demo-key'));
    protectAndFlush(partial);
    renameSync(partial, folder);
    flush(dirname(folder));
    return { folder, bytes, pages, ms: Math.round(monotonicMs() - startedMs) };
  } catch (cause) {
    rmSync(partial, { recursive: true, force: true });
    const { name, message } = cause as Error;
    const reason = name === 'DamagedFileError' ? `the database ${message}` : message;
    throw new StartError(`The backup failed: ${reason}.`, { cause });
  }
}

async function refuseUnusable(settings: BackupSettings, dataDir: string, folder: string): Promise<void> {
  if (settings.MONGODB_URI !== undefined) throw new StartError(onServer);
  if (!existsSync(databaseFile(dataDir)))
    throw new StartError(`There is no database in ${dataDir}. Set SHELFWISE_DATA_DIR to the data folder.`);
  const running = await fetchProcessState(controlSocketPath(dataDir));
  if (running !== null && running.database !== databaseFingerprint({})) throw new StartError(onServer);
  if (existsSync(folder)) throw new StartError(`${folder} already exists. Choose a new folder.`);
}

/** The files hold hashes of API keys, the email addresses of accounts and a key. */
function protectAndFlush(folder: string): void {
  for (const file of [databaseFile(folder), join(folder, 'demo-key')].filter((path) => existsSync(path))) {
    chmodSync(file, 0o600);
    flush(file);
  }
  flush(folder);
}

/** Windows cannot open a folder; it needs no flush there. */
function flush(path: string): void {
  if (process.platform === 'win32') return;
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

startIfMain(import.meta.filename, backup);
