/** What `npm start` prints when the system is ready. */
export type Banner = {
  url: string;
  /** Null without a demo account, and when its key is not known. */
  demoKey: string | null;
  /** A hint about the demo account; null when there is none. */
  demoNote: string | null;
  /** Signs in to the dashboard as the demo account; null without one or without a dashboard. */
  signInLink: string | null;
  isSample: boolean;
  dataDir: string;
  /** What is unsafe about the data folder; null when nothing is. */
  folderWarning: string | null;
  database: string;
  /** Where the metrics are; null without METRICS_PORT. */
  metricsUrl: string | null;
  example: ExampleApp;
};

/** The app that the example calls track. */
export type ExampleApp = {
  appId: string;
  /**
   * In a fresh data folder 1, because the first tracked app gets that id. Null for an untracked app in another folder:
   * only the call that tracks it returns the id.
   */
  internalId: number | null;
  isTracked: boolean;
};

const createAccount = 'npm run account -- create --email you@example.com --plan unlimited';

/**
 * The addresses, the data source, and the demo key with four calls to paste into a shell, or how to create an account.
 */
export function formatBanner(banner: Banner): string {
  const { url, demoKey, demoNote, signInLink, isSample, dataDir, folderWarning, database, metricsUrl } =
    banner;
  const source = isSample
    ? 'sample: a fictional catalog (STORE_SOURCE=live reads the App Store and Google Play)'
    : 'live: the App Store and Google Play';
  return [
    '',
    `  Shelfwise listens on ${url}`,
    `  API reference        ${url}/docs`,
    `  For assistants       ${url}/mcp (MCP, with the key as Authorization: Bearer; see mcp/README.md)`,
    `  Store source         ${source}`,
    `  Database             ${database}`,
    `  Data folder          ${dataDir}`,
    ...(folderWarning ? [`  WARNING              ${folderWarning}`] : []),
    ...(metricsUrl ? [`  Metrics              ${metricsUrl}`] : []),
    ...(demoKey ? [`  Demo API key         ${demoKey}`] : []),
    ...(signInLink ? [`  Dashboard            ${signInLink} (signs in once, within ten minutes)`] : []),
    ...(demoNote ? [`  Demo account         ${demoNote}`] : []),
    '',
    ...(demoKey
      ? ['  Try it:', '', ...exampleCalls(banner, demoKey).map((call) => `  ${call}`)]
      : ['  Create an account and its API key in another shell:', '', `  ${createAccount}`]),
    '',
    '  Ctrl-C stops it.',
    '',
  ].join('\n');
}

/**
 * Calls that track an app, track keywords, read their ranks and scores, and audit the app; one line each, for a POSIX
 * shell.
 */
export function exampleCalls({ url, example }: Pick<Banner, 'url' | 'example'>, key: string): string[] {
  const curl = `curl -s -H 'X-API-Key: ${key}'`;
  const post = `${curl} -H 'Content-Type: application/json'`;
  const storefront = '"store":"ITUNES","country":"US","lang":"en-US"';
  const trackApp = `${post} ${url}/api/v1/applications -d '{"app_id":"${example.appId}",${storefront}}'`;
  const trackKeywords = (id: number | string) =>
    `${post} ${url}/api/v1/keywords -d '{"keywords":["habit tracker","daily planner","routine"],"app_id":${id},${storefront}}'`;

  if (example.internalId === null)
    return [
      `ID=$(${trackApp} | sed 's/.*"id":\\([0-9]*\\),.*/\\1/'); echo "tracked as $ID"`,
      trackKeywords(`'$ID'`),
      `${curl} "${url}/api/v1/keywords?app_id=$ID"`,
      `${curl} "${url}/api/v1/applications/$ID/aso-health"`,
    ];
  const id = example.internalId;
  return [
    example.isTracked ? `${curl} '${url}/api/v1/applications?app_id=${id}'` : trackApp,
    trackKeywords(id),
    `${curl} '${url}/api/v1/keywords?app_id=${id}'`,
    `${curl} '${url}/api/v1/applications/${id}/aso-health'`,
  ];
}
