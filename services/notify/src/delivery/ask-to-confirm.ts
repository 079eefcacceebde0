import { confirmationHours, maxConfirmationMails } from '@shelfwise/facts/alerts/alert-channels';
import { AppError, invalidParams } from '@shelfwise/runtime/errors';
import type { AccountStore } from '../stores/account-store.ts';
import type { ChannelStore } from '../stores/channel-store.ts';
import type { MailedAddressStore } from '../stores/mailed-address-store.ts';
import { confirmationMail } from './mail-texts.ts';
import { createLinkSecret, hashLinkSecret, writeToken } from './mail-token.ts';
import type { Mailer } from './mailer.ts';
import { createWebhookId } from './plan-delivery.ts';

export type AskToConfirm = ReturnType<typeof createAskToConfirm>;

/** Mails the link that confirms an address: the only mail that an address gets before its owner has used it. */
export function createAskToConfirm(deps: {
  channels: Pick<ChannelStore, 'saveLink'>;
  accounts: Pick<AccountStore, 'takeConfirmationMail'>;
  mailedAddresses: Pick<MailedAddressStore, 'take'>;
  /** Null: settings are missing. */
  mailer: Pick<Mailer, 'send' | 'publicUrl'> | null;
  /** The names of these. */
  missingSettings: readonly string[];
  now: () => Date;
}) {
  const { channels, accounts, mailedAddresses, mailer, missingSettings, now } = deps;

  /** @throws SERVICE_UNAVAILABLE */
  function requireMailer(): Pick<Mailer, 'send' | 'publicUrl'> {
    if (mailer) return mailer;
    throw new AppError(
      'SERVICE_UNAVAILABLE',
      `This installation sends no mail. Its operator must set ${missingSettings.join(', ')} for its notify service.`,
    );
  }

  return {
    /**
     * Before anything is changed: counts the mail.
     * @throws SERVICE_UNAVAILABLE: settings of mail are missing, PLAN_LIMIT
     */
    async reserve(accountId: string, address: string): Promise<void> {
      requireMailer();
      const at = now();
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
          `An address is asked at most ${toAddress} times an hour. Try again in the next hour.`,
        );
    },

    /**
     * Sends the mail, once. From now on only its link is good.
     * @throws INVALID_PARAMS: the server refuses the address, SERVICE_UNAVAILABLE: the mail could not be sent
     */
    async ask(channelId: number, address: string, signal?: AbortSignal): Promise<void> {
      const { send, publicUrl } = requireMailer();
      const secret = createLinkSecret();
      const until = new Date(now().getTime() + confirmationHours * 3_600_000);
      await channels.saveLink(channelId, { hash: hashLinkSecret(secret), until });
      const confirm = `${publicUrl}/mail/confirm/${writeToken({ id: channelId, secret })}`;
      const mail = { ...confirmationMail({ confirm }), to: address, id: createWebhookId() };
      const { failure, isGone } = await send({ ...mail, unsubscribeUrl: null }, signal);
      if (failure === null) return;
      if (isGone) throw invalidParams({ url: 'is an address that the mail server refuses' });
      throw new AppError('SERVICE_UNAVAILABLE', `The mail that asks to confirm was not sent: ${failure}`);
    },
  };
}
