import type { Sleep } from '@shelfwise/runtime/concurrency/sleep';
import { retryUntilDone } from '@shelfwise/runtime/jobs/retry-until-done';
import type { Logger } from '@shelfwise/runtime/log/logger';
import { type SecretBox, type SecretContext, SecretError } from '@shelfwise/runtime/secrets/secret-box';
import { type ChannelSecrets, type SealedChannel, secretContexts } from '../domain/channel.ts';
import type { ChannelStore } from '../stores/channel-store.ts';

const channelsPerBatch = 200;
/** A change by an account wins. The pass then reads the channel again; more changes in a row do not happen. */
const triesPerChannel = 5;

/** What a channel keeps, sealed with the first key. `unreadable`: texts that no key opens; they stay as they are. */
export function sealAgain(
  box: SecretBox,
  channel: SealedChannel,
): ChannelSecrets & { isChanged: boolean; unreadable: number } {
  const contexts = secretContexts(channel);
  let isChanged = false;
  let unreadable = 0;
  function renew(sealed: string, context: SecretContext): string {
    if (box.isCurrent(sealed)) return sealed;
    try {
      const renewed = box.seal(box.open(sealed, context), context);
      isChanged = true;
      return renewed;
    } catch (error) {
      if (!(error instanceof SecretError)) throw error;
      unreadable += 1;
      return sealed;
    }
  }
  const sealedUrl = renew(channel.sealed_url, contexts.url);
  const secrets = channel.secrets.map(({ sealed, until }) => ({
    sealed: renew(sealed, contexts.secret),
    until,
  }));
  return { sealed_url: sealedUrl, secrets, isChanged, unreadable };
}

/**
 * After `SECRETS_KEY` got a new first key, seals at the start what an older key has sealed, and logs how many channels it
 * changed, and of how many something is `unreadable` with all keys. Several copies may do so at the same time. Retries while the
 * database is unavailable. Without an older key it does nothing.
 *
 * Cost: a query for each 200 channels, and a write for each that it changes.
 */
export function createSealAgain(deps: {
  channels: Pick<ChannelStore, 'listSealed' | 'findSealed' | 'replaceSealed'>;
  /** Null: SECRETS_KEY is not set. */
  secretBox: SecretBox | null;
  logger: Pick<Logger, 'info' | 'warn'>;
  sleep: Sleep;
}) {
  const { channels, secretBox, logger, sleep } = deps;
  const stopping = new AbortController();
  let running = Promise.resolve();
  /** Since the start, over all retries. */
  let count = 0;

  /** Whether it was changed, and whether a text of it cannot be opened. */
  async function renewOne(box: SecretBox, listed: SealedChannel) {
    let channel: SealedChannel | null = listed;
    for (let tries = 0; channel && tries < triesPerChannel; tries++) {
      const { isChanged, unreadable, ...sealed } = sealAgain(box, channel);
      const isUnreadable = unreadable > 0;
      if (!isChanged) return { isChanged, isUnreadable };
      if (await channels.replaceSealed(channel, sealed)) return { isChanged, isUnreadable };
      channel = await channels.findSealed(channel.id);
    }
    if (channel) throw new Error(`channel ${channel.id} changes all the time`);
    return { isChanged: false, isUnreadable: false };
  }

  async function renewAll(box: SecretBox, signal: AbortSignal): Promise<void> {
    let unreadable = 0;
    let batch: SealedChannel[] = [];
    do {
      batch = await channels.listSealed(batch.at(-1)?.id ?? 0, channelsPerBatch);
      for (const channel of batch) {
        if (signal.aborted) return;
        const { isChanged, isUnreadable } = await renewOne(box, channel);
        if (isChanged) count += 1;
        if (isUnreadable) unreadable += 1;
      }
    } while (batch.length === channelsPerBatch);
    const counts = { count, unreadable };
    logger.info(counts, 'channels sealed with an older key of SECRETS_KEY are sealed with the first one now');
  }

  return {
    start(): void {
      if (!secretBox?.hasOldKeys) return;
      const { signal } = stopping;
      running = retryUntilDone(() => renewAll(secretBox, signal), {
        signal,
        sleep,
        onFailure: (err) => logger.warn({ err }, 'channels could not be sealed again; retrying'),
      });
    },
    /** Resolves after the current channel. */
    async stop(): Promise<void> {
      stopping.abort();
      await running;
    },
  };
}
