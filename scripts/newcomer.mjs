// Runs npm start as someone does who has just cloned the repository: on a new data folder and a free port.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** `settings`: further environment variables. */
export function createNewcomer(settings) {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const dataDir = mkdtempSync(join(tmpdir(), 'shelfwise-newcomer-'));
  const environment = { ...process.env, PORT: '0', SHELFWISE_DATA_DIR: dataDir, ...settings };
  const started = [];

  return {
    root,
    environment,

    /** Resolves when the system listens, with its `url` and its `output` so far. Rejects when it ends instead. */
    start() {
      // A separate process group: the signal reaches both npm and the system, as with Ctrl-C.
      const child = spawn('npm', ['start'], { cwd: root, env: environment, detached: true });
      const system = { child, output: '', exit: new Promise((resolve) => child.once('exit', resolve)) };
      started.push(system);
      return new Promise((resolve, reject) => {
        for (const stream of [child.stdout, child.stderr])
          stream.on('data', (chunk) => {
            system.output += chunk;
            if (/Ctrl-C stops it/.test(system.output))
              resolve(Object.assign(system, { url: system.output.match(/listens on (\S+)/)[1] }));
          });
        child.once('exit', () => reject(new Error(`npm start ended:\n${system.output}`)));
      });
    },

    /** Kills what still runs, and deletes the data. */
    async stopAll() {
      for (const { child, exit } of started)
        if (child.exitCode === null && child.signalCode === null) {
          process.kill(-child.pid, 'SIGKILL');
          await exit;
        }
      // The last process may still be writing: its port closes before its database does.
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
}
