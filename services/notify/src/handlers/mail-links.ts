import type {
  ConfirmAlertChannelReply,
  ConfirmAlertChannelRequest,
  UnsubscribeAlertChannelReply,
  UnsubscribeAlertChannelRequest,
} from '@shelfwise/proto/notify/v1/notify';
import { type SecretBox, SecretError } from '@shelfwise/runtime/secrets/secret-box';
import { hashLinkSecret, isSameSecret, readToken, unsubscribeSecret } from '../delivery/mail-token.ts';
import type { createNotifyChannelOff } from '../delivery/notify-channel-off.ts';
import { secretContexts } from '../domain/channel.ts';
import type { ChannelStore, StoredChannel } from '../stores/channel-store.ts';

type Deps = {
  channels: Pick<ChannelStore, 'confirm' | 'findOfLink' | 'unsubscribe'>;
  /** Null: SECRETS_KEY is not set. */
  secretBox: SecretBox | null;
  notifyChannelOff: ReturnType<typeof createNotifyChannelOff>;
  /** Lets the worker of this process look again. */
  wake: () => void;
  now: () => Date;
};

/** A person with the link can read the mails of the address: that is the proof. */
export async function confirmAlertChannel(
  { channels, wake, now }: Deps,
  request: ConfirmAlertChannelRequest,
): Promise<ConfirmAlertChannelReply> {
  const token = readToken(request.token);
  const isConfirmed =
    token !== null && (await channels.confirm(token.id, hashLinkSecret(token.secret), now()));
  if (isConfirmed) wake();
  return { is_confirmed: isConfirmed };
}

/**
 * Turns the channel off until its owner confirms the address again, and says so in the feed. The channel is off first: whatever
 * fails then, no more mails are sent, and another click says it in the feed, which has it once.
 */
export async function unsubscribeAlertChannel(
  { channels, secretBox, notifyChannelOff, now }: Deps,
  request: UnsubscribeAlertChannelRequest,
): Promise<UnsubscribeAlertChannelReply> {
  const token = readToken(request.token);
  const channel = token && (await channels.findOfLink(token.id));
  if (!channel || !secretBox || !isTokenOf(channel, token.secret, secretBox)) return { is_known: false };
  const isOff = channel.off_reason === 'unsubscribed';
  const at = (isOff && channel.off_at) || now();
  if (!isOff) await channels.unsubscribe(channel.id, at);
  await notifyChannelOff(channel, { off_reason: 'unsubscribed', off_at: at, failing_since: null });
  return { is_known: true };
}

function isTokenOf(channel: StoredChannel, secret: string, box: SecretBox): boolean {
  const [newest] = channel.secrets;
  if (!newest) return false;
  try {
    return isSameSecret(secret, unsubscribeSecret(box.open(newest.sealed, secretContexts(channel).secret)));
  } catch (error) {
    if (error instanceof SecretError) return false;
    throw error;
  }
}
