import {
  type EventAdmin,
  type EventsCommand,
  executeEventsCommand,
} from '@shelfwise/runtime/events/event-admin';
import type { ControlReply } from '../data-folder/control-socket.ts';

/** Executes the events commands that arrive on the control socket. */
export function answerEventsCommands(admin: EventAdmin) {
  return async (command: unknown): Promise<ControlReply> => ({
    status: 200,
    // Only the owner of the data folder can send one, and only the command does.
    body: { result: await executeEventsCommand(command as EventsCommand, admin) },
  });
}
