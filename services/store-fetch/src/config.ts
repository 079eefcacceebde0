import { integerSetting, logLevelSetting, portSetting, urlSetting } from '@shelfwise/runtime/config';
import { z } from 'zod';
import { proxyLabel } from './call-budget/addresses.ts';

/** The database of this service alone. */
export const storeFetchDatabase = 'shelfwise_store_fetch';

const perMinuteSetting = integerSetting(1, 6000);

/** Proxies, separated by commas or blanks; each address and user once. The values may hold passwords, so no message repeats one. */
const proxiesSetting = z
  .string()
  .transform((text) => text.split(/[\s,]+/).filter((part) => part !== ''))
  .refine((parts) => parts.every(isProxyUrl), {
    error: 'must be http or https addresses of proxies (http://user:password@host:port), separated by commas',
  })
  .transform((parts) => parts.map((part) => new URL(part)))
  // Two spellings of one proxy, or two passwords of one user, are not two addresses: the first one counts.
  .transform((proxies) =>
    proxies.filter((proxy, i) => proxies.findIndex((other) => proxyLabel(other) === proxyLabel(proxy)) === i),
  );

function isProxyUrl(text: string): boolean {
  try {
    const { protocol, username, password, pathname, search } = new URL(text);
    decodeURIComponent(username + password);
    return /^https?:$/.test(protocol) && pathname === '/' && search === '';
  } catch {
    return false;
  }
}

/** The settings of the stores, which the all-in-one start shares. */
export const storeSettings = {
  /** How long one answer of a store may take, headers and body. */
  STORE_TIMEOUT_MS: integerSetting(100, 30_000).default(8000),
  /** Where App Store search, look-up and charts are asked. */
  STORE_ITUNES_URL: urlSetting.default('https://itunes.apple.com'),
  /** Where App Store suggestions are asked. */
  STORE_ITUNES_HINTS_URL: urlSetting.default('https://search.itunes.apple.com'),
  /** Where an app's App Store page is read, for its subtitle. */
  STORE_APPS_URL: urlSetting.default('https://apps.apple.com'),
  STORE_PLAY_URL: urlSetting.default('https://play.google.com'),
  /** Further outgoing addresses. */
  STORE_PROXIES: proxiesSetting.default([]),
  /** Calls a minute of each outgoing address: App Store search and look-up. */
  STORE_ITUNES_PER_MINUTE: perMinuteSetting.default(20),
  /** App Store suggestions. */
  STORE_ITUNES_HINTS_PER_MINUTE: perMinuteSetting.default(60),
  /** App Store charts and app pages. */
  STORE_ITUNES_PAGES_PER_MINUTE: perMinuteSetting.default(60),
  /** All of Google Play. */
  STORE_PLAY_PER_MINUTE: perMinuteSetting.default(60),
};

export type StoreSettings = { [Name in keyof typeof storeSettings]: z.output<(typeof storeSettings)[Name]> };

export const storeSourceSetting = z.enum(
  ['sample', 'live'],
  'must be sample (a fictional catalog) or live (the stores themselves)',
);

/** Settings of a store-fetch service started alone. */
export const storeFetchConfig = z.object({
  STORE_SOURCE: storeSourceSetting,
  ...storeSettings,
  MONGODB_URI: z.string(),
  GRPC_ADDRESS: z.string().default('127.0.0.1:50052'),
  METRICS_PORT: portSetting.optional(),
  LOG_LEVEL: logLevelSetting.default('info'),
});
