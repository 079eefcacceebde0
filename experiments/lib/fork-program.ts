import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/**
 * Starts a file of this repository in a process of its own, which sends and gets messages. Ctrl-C in a terminal does not reach it: who
 * has started it ends it.
 */
export function forkProgram(file: URL, ...programArguments: readonly string[]): ChildProcess {
  return fork(fileURLToPath(file), programArguments, {
    // A file of JavaScript needs nothing but Node, and starts in a fifth of the time.
    execArgv: file.pathname.endsWith('.mjs') ? [] : ['--import', 'tsx', '--conditions=shelfwise-source'],
    detached: true,
  });
}

/** @throws Error when the process ends before it has sent a message */
export async function firstMessage<Message>(child: ChildProcess): Promise<Message> {
  const ended = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`a process ended with ${code ?? signal}: ${child.spawnargs.join(' ')}`);
  });
  const [message] = await Promise.race([once(child, 'message'), ended]);
  ended.catch(() => {});
  return message as Message;
}
