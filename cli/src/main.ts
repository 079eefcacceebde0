#!/usr/bin/env node
import { homedir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { firstSignal } from '@shelfwise/runtime/process/first-signal';
import { runCli } from './run-cli.ts';

const code = await runCli({
  args: process.argv.slice(2),
  env: process.env,
  homeDir: homedir(),
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  fetch,
  clock: {
    nowMs: () => performance.now(),
    pause: (ms, signal) => sleep(ms, undefined, { signal }),
    every(ms, callback) {
      const timer = setInterval(callback, ms);
      return () => clearInterval(timer);
    },
  },
  watchSignals: () => firstSignal(process, { isStartedByNpm: process.env.npm_lifecycle_event !== undefined }),
});
// Connections that are kept alive and an open stdin would keep the process.
process.exit(code);
