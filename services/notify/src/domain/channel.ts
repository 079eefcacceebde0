import type {
  ChannelOffReason,
  ChannelTiming,
  ChannelType,
  DeliveryState,
} from '@shelfwise/facts/alerts/alert-channels';
import type { DigestPeriod } from './digest.ts';

/** Where alerts of an account are sent. */
export type Channel = {
  id: number;
  account_id: string;
  type: ChannelType;
  /** the account's own words */
  name: string;
  /** host of the address, with the port unless it is 443 */
  host: string;
  /** The last four characters of the address, which may itself be a secret. */
  url_end: string;
  timing: ChannelTiming;
  /** Null: it is on. */
  off_reason: ChannelOffReason | null;
  off_at: Date | null;
  /** Null: nothing was delivered yet. */
  last_success_at: Date | null;
  /** When the first try since the last success failed; null: none did. */
  failing_since: Date | null;
  created_at: Date;
  /** Of email: when its owner confirmed the address. Null: not yet, or another type. */
  confirmed_at: Date | null;
};

/** Whether it may be sent to: a mail address must be confirmed by its owner. */
export function isConfirmed({ type, confirmed_at: at }: Pick<Channel, 'type' | 'confirmed_at'>): boolean {
  return type !== 'email' || at !== null;
}

/** A secret that signs, encrypted. */
export type SealedSecret = {
  sealed: string;
  /** Null: the newest one. */
  until: Date | null;
};

/** What a channel keeps that is never shown. */
export type ChannelSecrets = {
  sealed_url: string;
  /** Of a webhook what signs, newest first; of email what links to unsubscribe are made from; else empty. */
  secrets: readonly SealedSecret[];
};

/** What is sealed of a channel, with what it is bound to. */
export type SealedChannel = Pick<Channel, 'id' | 'account_id'> & ChannelSecrets;

/** What the last try of a delivery came to. */
export type TryOutcome = {
  /** HTTP, or the reply code of the mail server; null: no answer */
  status: number | null;
  /** Null: nothing was sent. */
  duration_ms: number | null;
  /** Why it failed, in a sentence; null: the receiver answered 2xx. */
  failure: string | null;
  /** The first 1 KB of the answer; null: none, or it is not kept. */
  answer: string | null;
};

/** A message to a channel. */
export type Delivery = TryOutcome & {
  id: number;
  account_id: string;
  channel_id: number;
  /** The header webhook-id, the same at every try. */
  webhook_id: string;
  state: DeliveryState;
  is_test: boolean;
  /** Null: it is no digest. */
  digest: DigestPeriod | null;
  /** internal app id; null: a test, or alerts about no application */
  listing_id: number | null;
  /** of a digest the first ones; empty for a test */
  alert_ids: readonly number[];
  /** scheduled tries, without those on request */
  tries: number;
  created_at: Date;
  /** Null: it was not tried yet. */
  last_tried_at: Date | null;
  /** Null: it is not tried again. */
  next_try_at: Date | null;
};

/** Whose secrets these are: a text that is copied to another row cannot be decrypted there. */
export function secretContexts({ account_id: accountId, id }: Pick<Channel, 'account_id' | 'id'>) {
  const channel = ['alert channel', accountId, id] as const;
  return { url: [...channel, 'url'], secret: [...channel, 'secret'] } as const;
}
