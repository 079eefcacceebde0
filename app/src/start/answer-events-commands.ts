import {
  type EventAdmin,
  type EventsCommand,
  executeEventsCommand,
} from '@shelfwise/runtime/events/event-admin';
import type { Logger } from '@shelfwise/runtime/log/logger';
import type { ControlReply } from '../data-folder/control-socket.ts';

/** Executes the events commands that arrive on the control socket. A failure is in the log, to which the reply points. */
export function answerEventsCommands(admin: EventAdmin, logger: Pick<Logger, 'error'>) {
  return async (command: unknown): Promise<ControlReply> => {
    try {
      // Only the owner of the data folder can send one, and only the command does.
      return { status: 200, body: { result: await executeEventsCommand(command as EventsCommand, admin) } };
    } catch (error) {
      logger.error({ err: error }, 'an events command failed');
      throw error;
    }
  };
}
