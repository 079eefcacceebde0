import { confirmationHours, maxConfirmationMails } from '@shelfwise/facts/alerts/alert-channels';
import { AppError, invalidParams } from '@shelfwise/runtime/errors';
import type { AccountStore } from '../stores/account-store.ts';
import type { ConfirmLink } from '../stores/channel-store.ts';
import type { MailedAddressStore } from '../stores/mailed-address-store.ts';
import { confirmationMail } from './mail-texts.ts';
import { createLinkSecret, hashLinkSecret, writeToken } from './mail-token.ts';
import type { Mailer } from './mailer.ts';
import { createWebhookId } from './plan-delivery.ts';

export type AskToConfirm = ReturnType<typeof createAskToConfirm>;

/** A mail that is counted and not sent yet. */
export type ConfirmationRequest = {
  /** To be written with the address, so that the link confirms no other one. */
  link: ConfirmLink;
  /**
   * Sends the mail, once.
   * @throws INVALID_PARAMS: the server refuses the address, SERVICE_UNAVAILABLE: the mail could not be sent
   */
  send(channelId: number, signal?: AbortSignal): Promise<void>;
};

/** Mails the link that confirms an address: the only mail that an address gets before its owner has used it. */
export function createAskToConfirm(deps: {
  accounts: Pick<AccountStore, 'takeConfirmationMail'>;
  mailedAddresses: Pick<MailedAddressStore, 'take' | 'giveBack'>;
  /** Null: settings are missing. */
  mailer: Pick<Mailer, 'send' | 'publicUrl'> | null;
  /** The names of these. */
  missingSettings: readonly string[];
  now: () => Date;
}) {
  const { accounts, mailedAddresses, mailer, missingSettings, now } = deps;

  /** @throws SERVICE_UNAVAILABLE */
  function requireMailer(): Pick<Mailer, 'send' | 'publicUrl'> {
    if (mailer) return mailer;
    throw new AppError(
      'SERVICE_UNAVAILABLE',
      `This installation sends no mail. Its operator must set ${missingSettings.join(', ')} for its notify service.`,
    );
  }

  /** @throws PLAN_LIMIT */
  async function countMail(accountId: string, address: string, at: Date): Promise<void> {
    const hour = at.toISOString().slice(0, 13);
    const { ofAccount, toAddress } = maxConfirmationMails;
    if (!(await accounts.takeConfirmationMail(accountId, hour, ofAccount)))
      throw new AppError(
        'PLAN_LIMIT',
        `An account asks at most ${ofAccount} times an hour to confirm a mail address. Try again in the next hour.`,
      );
    if (!(await mailedAddresses.take(address, at, toAddress)))
      throw new AppError(
        'PLAN_LIMIT',
        `An address is asked at most ${toAddress} times a day (UTC). Try again tomorrow.`,
      );
  }

  /**
   * Before anything is changed: counts the mail and makes its link.
   * @throws SERVICE_UNAVAILABLE: settings of mail are missing, PLAN_LIMIT
   */
  return async (accountId: string, address: string): Promise<ConfirmationRequest> => {
    const { send, publicUrl } = requireMailer();
    const at = now();
    await countMail(accountId, address, at);
    const secret = createLinkSecret();
    return {
      link: {
        confirm_hash: hashLinkSecret(secret),
        confirm_until: new Date(at.getTime() + confirmationHours * 3_600_000),
      },
      async send(channelId, signal) {
        const confirm = `${publicUrl}/mail/confirm/${writeToken({ id: channelId, secret })}`;
        const mail = { ...confirmationMail({ confirm }), to: address, id: createWebhookId() };
        const { failure, isGone, isUnanswered } = await send({ ...mail, unsubscribeUrl: null }, signal);
        if (failure === null) return;
        // What the server may have taken counts, and so does a guess at an address. The tries of the account count in any case.
        if (!isGone && !isUnanswered) await mailedAddresses.giveBack(address, at);
        if (isGone) throw invalidParams({ url: 'is an address that the mail server refuses' });
        throw new AppError('SERVICE_UNAVAILABLE', `The mail that asks to confirm was not sent: ${failure}`);
      },
    };
  };
}
