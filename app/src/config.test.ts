import { readConfig } from '@shelfwise/runtime/config';
import { allInOneConfig } from './config.ts';

test('METRICS_PORT must differ from PORT, unless the system chooses both', () => {
  const read = (environment: Record<string, string>) => () => readConfig(allInOneConfig, environment);
  const problem = /METRICS_PORT: must differ from PORT$/;
  expect(read({ PORT: '8095', METRICS_PORT: '8095' })).toThrow(problem);
  expect(read({ METRICS_PORT: '8080' })).toThrow(problem);
  expect(read({ PORT: '8095', METRICS_PORT: '8096' })).not.toThrow();
  expect(read({ PORT: '0', METRICS_PORT: '0' })).not.toThrow();
});
