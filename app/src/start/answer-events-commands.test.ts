import type { EventAdmin } from '@shelfwise/runtime/events/event-admin';
import { answerEventsCommands } from './answer-events-commands.ts';

test('the failure of a command is in the log: its reply only points there', async () => {
  const failure = new Error('the brokers do not answer');
  const admin = { readLag: () => Promise.reject(failure) } as unknown as EventAdmin;
  const logged: unknown[] = [];
  const answer = answerEventsCommands(admin, { error: (...line: unknown[]) => void logged.push(line) });
  await expect(answer({ name: 'lag' })).rejects.toBe(failure);
  expect(logged).toEqual([[{ err: failure }, 'an events command failed']]);
});
