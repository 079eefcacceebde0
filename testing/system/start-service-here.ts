import { EventEmitter } from 'node:events';
import type { ServiceHost } from '@shelfwise/runtime/service/run-service';
import { createSink } from './run-command-here.ts';
import { addressIn, isListening, type ServiceProcess } from './service-process.ts';

/**
 * Starts one service as its own process would, but in this process, with these settings only, and waits until it listens or
 * ends. A process of its own costs seconds; tests of exit codes and of the program itself start one (`startServiceProcess`).
 */
export async function startServiceHere(
  runAlone: (host: ServiceHost) => Promise<void>,
  settings: Record<string, string>,
): Promise<ServiceProcess> {
  let output = '';
  const signals = new EventEmitter();
  const printed = new EventEmitter();
  const sink = createSink((text) => {
    output += text;
    printed.emit('text');
  });
  const host = {
    on: signals.on.bind(signals),
    exit: (code: number) => signals.emit('exit', code),
    ppid: process.ppid,
    env: settings,
    stdout: sink,
    stderr: sink,
  } as unknown as ServiceHost;
  let code: number | null = null;
  const exited = new Promise<number>((resolve) => {
    signals.once('exit', (given: number) => {
      code = given;
      resolve(given);
    });
  });
  const listening = new Promise<void>((resolve) => {
    printed.on('text', () => {
      if (isListening(output)) resolve();
    });
  });
  void runAlone(host);
  await Promise.race([exited, listening]);
  return {
    line: output,
    address: addressIn(output),
    pid: undefined,
    output: () => output,
    async end() {
      if (code === null) signals.emit('SIGTERM');
      return exited;
    },
  };
}
