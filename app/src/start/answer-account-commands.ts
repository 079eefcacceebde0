import { executeAccountCommand } from '@shelfwise/gateway/accounts/account-commands';
import type { Accounts } from '@shelfwise/gateway/accounts/accounts';
import type { SignInLinks } from '@shelfwise/gateway/dashboard/sign-in-links';
import { AppError, errorCodes } from '@shelfwise/runtime/errors';
import type { Logger } from '@shelfwise/runtime/log/logger';
import type { ControlReply } from '../data-folder/control-socket.ts';

/** Executes the account commands that arrive on the control socket. An AppError becomes a reply with its status. */
export function answerAccountCommands({
  accounts,
  signInLinks,
  logger,
}: {
  accounts: Accounts;
  signInLinks: SignInLinks | null;
  logger: Logger;
}) {
  return async (command: unknown): Promise<ControlReply> => {
    try {
      return { status: 200, body: { result: await executeAccountCommand(command, accounts, signInLinks) } };
    } catch (error) {
      if (error instanceof AppError)
        return {
          status: errorCodes[error.code][0],
          body: { error: error.message, code: error.code, details: error.details },
        };
      logger.error({ err: error }, 'an account command failed');
      throw error;
    }
  };
}
