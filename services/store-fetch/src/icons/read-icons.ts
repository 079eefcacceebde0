import type { Store } from '@shelfwise/facts/stores/store';
import { createSingleflight } from '@shelfwise/runtime/concurrency/singleflight';
import { AppError } from '@shelfwise/runtime/errors';
import { LRUCache } from 'lru-cache';
import { callStore } from '../http/call-store.ts';
import type { Icon, StoreSource } from '../source.ts';
import { iconNotFound, StoreFailure, storeFetchFailed } from '../store-health/store-failure.ts';
import type { IconAddressStore } from '../stores/icon-address-store.ts';
import { createImageCalls } from './image-calls.ts';
import { imageTypeOf } from './image-type.ts';
import { toImageUrl } from './image-url.ts';

/** The largest icon that is passed on. One of 72 pixels has 2 to 10. */
export const maxIconKiB = 64;
/** Some 2,000 icons. */
const cacheBytes = 16 * 1024 * 1024;
/** Estimated memory of an entry in addition to its image. */
const overheadBytes = 400;
/** A page waits for no icon: a letter stands in its place. */
const maxTimeoutMs = 3000;
const iconTtlMs = 24 * 3_600_000;
const failureTtlMs = 5 * 60_000;
/** A server that refuses this address is not called for this time. */
const pauseMs = 10 * 60_000;

/** How a request for an icon ended. `kept`: in memory; `unknown`: no answer has shown one; `failed`: also a remembered failure. */
export type IconOutcome = 'kept' | 'read' | 'unknown' | 'failed';

type Kept = { outcome: Icon | AppError; untilMs: number };

/**
 * Reads icons from the image servers of the stores, at the addresses that the stores' own answers had. It follows no redirect, and
 * passes on PNG, JPEG and WebP only. Equal requests at the same time share one call; failures are remembered for five minutes.
 * @param baseUrls of the configured stores, whose own images are read too
 */
export function createReadIcon(deps: {
  icons: Pick<IconAddressStore, 'find'>;
  baseUrls: readonly string[];
  timeoutMs: number;
  now: () => Date;
  /** Is notified of each request, except of readers who leave. */
  onIcon: (store: Store, outcome: IconOutcome) => void;
}): StoreSource['icon'] {
  const { icons, now, onIcon } = deps;
  const timeoutMs = Math.min(deps.timeoutMs, maxTimeoutMs);
  const origins = new Set(deps.baseUrls.map((url) => new URL(url).origin));
  const calls = createImageCalls(now);
  const flights = createSingleflight<Icon>();
  const pausedUntilMs: Record<Store, number> = { ITUNES: 0, GPLAY: 0 };
  const cache = new LRUCache<string, Kept>({
    maxSize: cacheBytes,
    sizeCalculation: ({ outcome }) =>
      overheadBytes + (outcome instanceof AppError ? 0 : outcome.image.byteLength),
  });

  function keep(key: string, outcome: Icon | AppError, ttlMs: number): void {
    cache.set(key, { outcome, untilMs: now().getTime() + ttlMs });
  }

  async function callServer(url: URL, signal: AbortSignal): Promise<Icon> {
    const { body } = await callStore({ url, timeoutMs, signal, dispatcher: undefined, maxKiB: maxIconKiB });
    const type = imageTypeOf(body);
    if (type === null) throw new StoreFailure('malformed', 'sent no image in place of an icon');
    return { image: body, type };
  }

  async function read(key: string, store: Store, appId: string, signal: AbortSignal): Promise<Icon> {
    const address = await icons.find(store, appId);
    const url = address === null ? null : toImageUrl(store, address, origins);
    if (url === null) throw iconNotFound();
    if (pausedUntilMs[store] > now().getTime()) throw paused();
    try {
      const icon = await calls.run(signal, () => callServer(url, signal));
      keep(key, icon, iconTtlMs);
      return icon;
    } catch (error) {
      if (!(error instanceof StoreFailure)) throw error;
      const failure = storeFetchFailed(store, error);
      if (error.kind !== 'abandoned') keep(key, failure, failureTtlMs);
      if (error.kind === 'blocked' || error.kind === 'captcha')
        pausedUntilMs[store] = now().getTime() + pauseMs;
      throw failure;
    }
  }

  return async (store, appId, signal) => {
    signal.throwIfAborted();
    const key = `${store} ${appId}`;
    const kept = cache.get(key);
    const isKept = kept !== undefined && kept.untilMs > now().getTime();
    try {
      const outcome = isKept
        ? kept.outcome
        : await flights.join(key, signal, (flight) => read(key, store, appId, flight));
      if (outcome instanceof AppError) throw outcome;
      onIcon(store, isKept ? 'kept' : 'read');
      return outcome;
    } catch (error) {
      if (!signal.aborted) onIcon(store, isUnknown(error) ? 'unknown' : 'failed');
      throw error;
    }
  };
}

function isUnknown(error: unknown): boolean {
  return error instanceof AppError && error.code === 'NOT_FOUND';
}

function paused(): AppError {
  return new AppError(
    'STORE_FETCH_FAILED',
    'The image server of the store refuses calls. Try again in ten minutes.',
  );
}
