import { chartConfig } from '@shelfwise/chart/config';
import { gatewayConfig } from '@shelfwise/gateway/config';
import { nicheConfig } from '@shelfwise/niche/config';
import { notifyConfig } from '@shelfwise/notify/config';
import { readConfig } from '@shelfwise/runtime/process/config';
import { scoringConfig } from '@shelfwise/scoring/config';
import { storeFetchConfig } from '@shelfwise/store-fetch/config';
import { trackingConfig } from '@shelfwise/tracking/config';
import { allInOneConfig, distributedConfig, migrateConfig } from './config.ts';

test('METRICS_PORT must differ from PORT, unless the system chooses both', () => {
  const read = (environment: Record<string, string>) => () => readConfig(allInOneConfig, environment);
  const problem = /METRICS_PORT: must differ from PORT$/;
  expect(read({ PORT: '8095', METRICS_PORT: '8095' })).toThrow(problem);
  expect(read({ METRICS_PORT: '8080' })).toThrow(problem);
  expect(read({ PORT: '8095', METRICS_PORT: '8096' })).not.toThrow();
  expect(read({ PORT: '0', METRICS_PORT: '0' })).not.toThrow();
});

test('SAMPLE_DAY is an existing day, and refused on live stores', () => {
  const read = (environment: Record<string, string>) => () => readConfig(allInOneConfig, environment);
  expect(read({ SAMPLE_DAY: '2026-11-20' })).not.toThrow();
  expect(read({ SAMPLE_DAY: '2026-02-30' })).toThrow(/SAMPLE_DAY: must be a day/);
  expect(read({ SAMPLE_DAY: '2026-11-20', STORE_SOURCE: 'live' })).toThrow(/SAMPLE_DAY: is only for/);
});

const wrong = {
  MONGODB_URI: 'foo',
  GRPC_ADDRESS: 'nowhere',
  STORE_SOURCE: 'sampled',
  STORE_FETCH_ADDRESS: 'store-fetch',
  SCORING_ADDRESS: 'scoring:port',
  PORT: 'eighty',
  METRICS_PORT: 'ninety',
};
const own = ['MONGODB_URI', 'METRICS_PORT'];

test.each([
  ['tracking', trackingConfig, [...own, 'GRPC_ADDRESS', 'STORE_FETCH_ADDRESS']],
  ['scoring', scoringConfig, [...own, 'GRPC_ADDRESS', 'STORE_FETCH_ADDRESS']],
  ['store-fetch', storeFetchConfig, [...own, 'GRPC_ADDRESS', 'STORE_SOURCE']],
  ['niche', nicheConfig, [...own, 'GRPC_ADDRESS', 'STORE_FETCH_ADDRESS', 'SCORING_ADDRESS']],
  ['chart', chartConfig, [...own, 'GRPC_ADDRESS', 'STORE_FETCH_ADDRESS']],
  ['notify', notifyConfig, [...own, 'GRPC_ADDRESS']],
  ['gateway', gatewayConfig, [...own, 'PORT', 'STORE_FETCH_ADDRESS', 'SCORING_ADDRESS']],
  ['all-in-one', allInOneConfig, [...own, 'PORT', 'STORE_SOURCE']],
  ['distributed', distributedConfig, [...own, 'PORT']],
  ['migrate', migrateConfig, ['MONGODB_URI']],
])('%s names all wrong settings at once, addresses too', (_name, config, names) => {
  let message = '';
  try {
    readConfig(config, wrong);
  } catch (error) {
    message = String(error);
  }
  const named = [...message.matchAll(/^ {2}(\w+): must/gm)].map(([, name]) => name);
  expect(named).toEqual(expect.arrayContaining(names));
});
