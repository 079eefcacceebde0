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
      const system = {
        child,
        output: '',
        exit: new Promise((resolve) => child.once('exit', resolve)),
        // The system holds npm's output open: this comes once both have ended, even when npm did not wait for it.
        end: new Promise((resolve) => child.once('close', resolve)),
      };
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

    /** Waits until what was told to stop has ended, kills what was not, and deletes the data. */
    async stopAll() {
      for (const { child, end } of started) {
        const wasStopped = child.exitCode !== null || child.signalCode !== null;
        const kill = () => process.kill(-child.pid, 'SIGKILL');
        // Its port closes before its database does. A way out after a minute, far more than a busy machine needs.
        const wayOut = setTimeout(kill, wasStopped ? 60_000 : 0);
        await end;
        clearTimeout(wayOut);
      }
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
