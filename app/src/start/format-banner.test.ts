import { exampleCalls, formatBanner } from './format-banner.ts';

const banner = {
  url: 'http://localhost:8080',
  demoKey: 'sw_live_abc',
  demoNote: null,
  signInLink: null,
  isSample: true,
  dataDir: '.shelfwise',
  folderWarning: null,
  database: 'embedded',
  metricsUrl: null,
  example: { appId: '123', internalId: 1, isTracked: false },
};

test('a fresh start shows the address, the fictional source, the API key and four calls', () => {
  const text = formatBanner(banner);
  expect(text).toContain('Shelfwise listens on http://localhost:8080');
  expect(text).toContain('http://localhost:8080/mcp (MCP, with the key as Authorization: Bearer');
  expect(text).toContain('fictional');
  expect(text).toContain('sw_live_abc');
  expect(text.match(/^ {2}curl /gm)).toHaveLength(4);
});

test('without a demo account the banner shows how to create an account', () => {
  const text = formatBanner({ ...banner, demoKey: null });
  expect(text).not.toMatch(/curl/);
  expect(text).toContain('npm run account -- create');
});

test('the calls read an app that is already tracked instead of tracking it again', () => {
  const [first, second] = exampleCalls(
    { ...banner, example: { appId: '123', internalId: 7, isTracked: true } },
    'k',
  );
  expect(first).toContain('/api/v1/applications?app_id=7');
  expect(second).toContain('"app_id":7,');
});

test('when the id is not known yet, the shell takes it from the first answer', () => {
  const calls = exampleCalls(
    { ...banner, example: { appId: '123', internalId: null, isTracked: false } },
    'k',
  );
  expect(calls[0]).toMatch(/^ID=\$\(/);
  expect(calls[1]).toContain(`"app_id":'$ID',`);
  expect(calls[2]).toContain('app_id=$ID"');
  expect(calls[3]).toContain('/applications/$ID/aso-health"');
});

test('a data folder that other users can write to is a warning', () => {
  expect(formatBanner(banner)).not.toContain('WARNING');
  const folderWarning = 'Other users can write to the data folder /data.';
  expect(formatBanner({ ...banner, folderWarning })).toContain(`WARNING              ${folderWarning}`);
});

test('the metrics are shown when they are on', () => {
  expect(formatBanner(banner)).not.toContain('Metrics');
  const text = formatBanner({ ...banner, metricsUrl: 'http://127.0.0.1:9090/metrics' });
  expect(text).toContain('Metrics              http://127.0.0.1:9090/metrics');
});

test('the sign-in link is shown when there is one', () => {
  expect(formatBanner(banner)).not.toContain('Dashboard');
  const signInLink = 'http://localhost:8080/dashboard/sign-in#sw_link_abc';
  expect(formatBanner({ ...banner, signInLink })).toContain(
    `Dashboard            ${signInLink} (signs in once`,
  );
});
