import { kafkaSettings } from '@shelfwise/runtime/events/kafka-settings';
import { listenAddressSetting } from '@shelfwise/runtime/grpc/service-address';
import { integerSetting, keptDaysSetting, urlSetting } from '@shelfwise/runtime/process/config';
import { redisSettings } from '@shelfwise/runtime/redis/redis-settings';
import { processSettings } from '@shelfwise/runtime/service/run-service';
import { z } from 'zod';
import { proxyLabel } from './budget/addresses.ts';

/** The database that only this service uses. */
export const storeFetchDatabase = 'shelfwise_store_fetch';

const perMinuteSetting = integerSetting(1, 6000);

/** Proxies, separated by commas or spaces. Messages never repeat a value, because it may contain a password. */
const proxiesSetting = z
  .string()
  .transform((text) => text.split(/[\s,]+/).filter((address) => address !== ''))
  .refine((addresses) => addresses.every(isProxyUrl), {
    error: 'must be http or https addresses of proxies (http://user:password@host:port), separated by commas',
  })
  .transform((addresses) => addresses.map((address) => new URL(address)))
  // Two spellings of one proxy, or two passwords of one user, are one outgoing address: only the first is used.
  .transform((proxies) =>
    proxies.filter((proxy, i) => proxies.findIndex((other) => proxyLabel(other) === proxyLabel(proxy)) === i),
  );

function isProxyUrl(text: string): boolean {
  try {
    const { protocol, username, password, pathname, search } = new URL(text);
    // Throws for an invalid escape, which would otherwise fail when the proxy is set up.
    decodeURIComponent(username + password);
    return /^https?:$/.test(protocol) && pathname === '/' && search === '';
  } catch {
    return false;
  }
}

/** The store settings, which the all-in-one start uses too. */
export const storeSettings = {
  /** Time limit for one answer of a store, in milliseconds, headers and body. */
  STORE_TIMEOUT_MS: integerSetting(100, 30_000).default(8000),
  /** Base address of App Store search, look-up and charts. */
  STORE_ITUNES_URL: urlSetting.default('https://itunes.apple.com'),
  /** Base address of App Store suggestions. */
  STORE_ITUNES_HINTS_URL: urlSetting.default('https://search.itunes.apple.com'),
  /** Base address of the apps' App Store pages, which show subtitles. */
  STORE_APPS_URL: urlSetting.default('https://apps.apple.com'),
  STORE_PLAY_URL: urlSetting.default('https://play.google.com'),
  /** Proxies: outgoing addresses in addition to the process's own. */
  STORE_PROXIES: proxiesSetting.default([]),
  /** Calls per minute and outgoing address: App Store search and look-up. */
  STORE_ITUNES_PER_MINUTE: perMinuteSetting.default(20),
  /** Likewise: App Store suggestions. */
  STORE_ITUNES_HINTS_PER_MINUTE: perMinuteSetting.default(60),
  /** Likewise: App Store charts and app pages. */
  STORE_ITUNES_PAGES_PER_MINUTE: perMinuteSetting.default(60),
  /** Likewise: all of Google Play. */
  STORE_PLAY_PER_MINUTE: perMinuteSetting.default(60),
};

export type StoreSettings = { [Name in keyof typeof storeSettings]: z.output<(typeof storeSettings)[Name]> };

export const storeSourceSetting = z.enum(
  ['sample', 'live'],
  'must be sample (a fictional catalog) or live (the stores themselves)',
);

/** Settings of the service when it runs as its own process. */
export const storeFetchConfig = z.object({
  ...processSettings,
  STORE_SOURCE: storeSourceSetting,
  ...storeSettings,
  /** How long an account's history of autocomplete queries is kept. */
  HISTORY_RETENTION_DAYS: keptDaysSetting.default(null),
  GRPC_ADDRESS: listenAddressSetting.default('127.0.0.1:50052'),
  ...redisSettings,
  /** Where a live source publishes that a store is away. */
  ...kafkaSettings,
});
