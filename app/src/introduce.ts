import { urgent } from '@shelfwise/store-fetch/call-budget/urgency';
import type { Banner, ExampleApp } from './banner.ts';
import type { AllInOneSettings } from './config.ts';
import { type DemoAccount, ensureDemoAccount } from './demo-account.ts';
import { demoKeyFile, type System } from './start-system.ts';

const askWithinMs = 5000;

/** Makes the demo account where there is one, and gathers what a newcomer is shown. */
export async function introduce(system: System, settings: AllInOneSettings): Promise<Banner> {
  const isSample = settings.STORE_SOURCE === 'sample';
  const isEmbedded = settings.MONGODB_URI === undefined;
  const hasDemo = settings.SHELFWISE_DEMO_ACCOUNT ?? (isSample && isEmbedded);
  const demo = hasDemo
    ? await ensureDemoAccount({ accounts: system.accounts, keyFile: demoKeyFile(system.dataDir) })
    : null;
  return {
    url: system.url,
    demoKey: demo?.key ?? null,
    demoNote: demo?.note ?? null,
    isSample,
    dataDir: system.dataDir,
    database: isEmbedded ? 'embedded, in the data folder' : 'the server of MONGODB_URI',
    example: await chooseExample(system, demo, isSample),
  };
}

/** An app of the sample catalog that ranks for the example's keywords, or a well-known one of the App Store. */
async function chooseExample(
  system: System,
  demo: DemoAccount | null,
  isSample: boolean,
): Promise<ExampleApp> {
  const appId = isSample ? await findSampleApp(system) : '281796108';
  const tracked = demo?.key ? await findTracked(system, demo.key, appId) : null;
  return { appId, internalId: tracked ?? (system.isFresh ? 1 : null), isTracked: tracked !== null };
}

async function findSampleApp({ source }: System): Promise<string> {
  const storefront = { store: 'ITUNES', country: 'US', lang: 'en-US' } as const;
  const signal = AbortSignal.timeout(askWithinMs);
  const { apps } = await source.search(storefront, 'habit tracker', {
    limit: 5,
    onDay: null,
    urgency: urgent,
    signal,
  });
  const example = apps[1] ?? apps[0];
  if (!example) throw new Error('the sample catalog has no habit tracker');
  return example.appId;
}

/** The internal id under which the demo account tracks the app in the US, if it does. */
async function findTracked(
  { accounts, clients }: System,
  key: string,
  appId: string,
): Promise<number | null> {
  const account = await accounts.findByKey(key);
  if (!account) return null;
  const deadline = new Date(Date.now() + askWithinMs);
  const { applications } = await clients.tracking.listApplications(
    { account_id: account.id },
    { requestId: 'start', deadline },
  );
  const isExample = (app: (typeof applications)[number]) =>
    app.app_id === appId && app.store === 'ITUNES' && app.country === 'US' && app.lang === 'en-US';
  return applications.find(isExample)?.id ?? null;
}
