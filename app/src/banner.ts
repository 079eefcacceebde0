/** What a newcomer sees once the system is ready. */
export type Banner = {
  url: string;
  /** Null when there is no demo account. */
  demoKey: string | null;
  demoNote: string | null;
  isSample: boolean;
  dataDir: string;
  database: string;
  example: ExampleApp;
};

/** The app that the example calls track, and what is known of it. */
export type ExampleApp = {
  appId: string;
  /** Its internal id: known once it is tracked, 1 in a fresh data folder, else null. */
  internalId: number | null;
  isTracked: boolean;
};

const accountCall = 'npm run account -- create --email you@example.com --plan unlimited';

/** The lines to print: where it listens, whose data it shows, the key, and four calls that work when pasted. */
export function formatBanner(banner: Banner): string {
  const { url, demoKey, demoNote, isSample, dataDir, database } = banner;
  const source = isSample
    ? 'sample: a fictional catalog, no real store is read (STORE_SOURCE=live reads the real ones)'
    : 'live: the App Store and Google Play';
  return [
    '',
    `  Shelfwise listens on ${url}`,
    `  Documentation        ${url}/docs`,
    `  Store source         ${source}`,
    `  Database             ${database}`,
    `  Data folder          ${dataDir}`,
    ...(demoKey ? [`  Demo account's key   ${demoKey}`] : []),
    ...(demoNote ? [`  Demo account         ${demoNote}`] : []),
    '',
    ...(demoKey
      ? ['  Try it:', '', ...exampleCalls(banner, demoKey).map((call) => `  ${call}`)]
      : ['  Make an account and its key, in another shell:', '', `  ${accountCall}`]),
    '',
    '  Ctrl-C stops it.',
    '',
  ].join('\n');
}

/** Track an app, track keywords for it, read their ranks and scores, audit the app. Each is one line for a POSIX shell. */
export function exampleCalls({ url, example }: Pick<Banner, 'url' | 'example'>, key: string): string[] {
  const curl = `curl -s -H 'X-API-Key: ${key}'`;
  const post = `${curl} -H 'Content-Type: application/json'`;
  const market = '"store":"ITUNES","country":"US","lang":"en-US"';
  const track = `${post} ${url}/api/v1/applications -d '{"app_id":"${example.appId}",${market}}'`;
  const keywords = (id: number | string) =>
    `${post} ${url}/api/v1/keywords -d '{"keywords":["habit tracker","daily planner","routine"],"app_id":${id},${market}}'`;

  if (example.internalId === null) {
    const remember = `ID=$(${track} | sed 's/.*"id":\\([0-9]*\\),.*/\\1/'); echo "tracked as $ID"`;
    return [
      remember,
      keywords(`'$ID'`),
      `${curl} "${url}/api/v1/keywords?app_id=$ID"`,
      `${curl} "${url}/api/v1/applications/$ID/aso-health"`,
    ];
  }
  const id = example.internalId;
  const first = example.isTracked ? `${curl} '${url}/api/v1/applications?app_id=${id}'` : track;
  return [
    first,
    keywords(id),
    `${curl} '${url}/api/v1/keywords?app_id=${id}'`,
    `${curl} '${url}/api/v1/applications/${id}/aso-health'`,
  ];
}
