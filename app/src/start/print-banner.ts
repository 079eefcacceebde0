import type { TrackedListing } from '@shelfwise/proto/tracking/v1/tracked_listing';
import { urgent } from '@shelfwise/store-fetch/budget/urgency';
import type { AllInOneSettings } from '../config.ts';
import { describeOpenFolder } from '../data-folder/describe-open-folder.ts';
import { type DemoAccount, demoEmail } from './ensure-demo-account.ts';
import { type ExampleApp, formatBanner } from './format-banner.ts';
import type { System } from './start-system.ts';

const callTimeoutMs = 5000;
/** Evernote: live stores have no catalog to choose from. */
const liveExampleAppId = '281796108';

/** Prints the addresses, the API key of the demo account and the example calls. */
export async function printBanner(deps: {
  system: System;
  settings: AllInOneSettings;
  demoAccount: DemoAccount | null;
  print(text: string): void;
}): Promise<void> {
  const { system, settings, demoAccount, print } = deps;
  const isSample = settings.STORE_SOURCE === 'sample';
  const isEmbedded = settings.MONGODB_URI === undefined;
  const demoKey = demoAccount?.key ?? null;
  const signIn = demoAccount && (await system.signInLinks?.create({ email: demoEmail }));
  const banner = formatBanner({
    url: system.url,
    demoKey,
    demoNote: demoAccount?.note ?? null,
    signInLink: signIn?.link ?? null,
    isSample,
    dataDir: system.dataDir,
    folderWarning: describeOpenFolder(system.dataDir),
    database: isEmbedded ? 'embedded, in the data folder' : 'the server of MONGODB_URI',
    metricsUrl: system.opsUrl && `${system.opsUrl}/metrics`,
    example: await chooseExample(system, demoKey, isSample),
  });
  print(banner);
}

/** `isFresh` makes the id of the first tracked app known in advance: it is 1. */
async function chooseExample(system: System, demoKey: string | null, isSample: boolean): Promise<ExampleApp> {
  const appId = isSample ? await findSampleApp(system) : liveExampleAppId;
  const trackedId = demoKey ? await findTrackedId(system, demoKey, appId) : null;
  return { appId, internalId: trackedId ?? (system.isFresh ? 1 : null), isTracked: trackedId !== null };
}

/** An app of the sample catalog that ranks for the keywords of the example calls. */
async function findSampleApp({ source }: System): Promise<string> {
  const storefront = { store: 'ITUNES', country: 'US', lang: 'en-US' } as const;
  const { apps } = await source.search(storefront, 'habit tracker', {
    limit: 5,
    onDay: null,
    urgency: urgent,
    signal: AbortSignal.timeout(callTimeoutMs),
  });
  const example = apps[1] ?? apps[0];
  if (!example) throw new Error('the sample catalog has no habit tracker');
  return example.app_id;
}

/** The internal id of the app in the account's US storefront; null when the account does not track it. */
async function findTrackedId(
  { accounts, clients }: System,
  key: string,
  appId: string,
): Promise<number | null> {
  const account = await accounts.findByKey(key);
  if (!account) return null;
  const deadline = new Date(Date.now() + callTimeoutMs);
  const { applications } = await clients.tracking.listApplications(
    { account_id: account.id },
    { requestId: 'start', deadline },
  );
  const tracked = applications.flatMap(({ listing }) => listing ?? []);
  const isExample = ({ storefront, listing }: TrackedListing) =>
    listing?.app_id === appId &&
    storefront?.store === 'ITUNES' &&
    storefront.country === 'US' &&
    storefront.lang === 'en-US';
  return tracked.find(isExample)?.id ?? null;
}
