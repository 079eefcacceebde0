import { z } from 'zod';
import {
  booleanSetting,
  ConfigError,
  hostSetting,
  integerSetting,
  keptDaysSetting,
  portSetting,
  readConfig,
  urlSetting,
} from './config.ts';

const schema = z.object({
  PORT: portSetting.default(8080),
  MONGODB_URI: z.string(),
  DEMO: booleanSetting.optional(),
  TIMEOUT_MS: integerSetting(1, 10).default(5),
  SERVER_URL: urlSetting.optional(),
});

test('settings are read with their defaults, and an empty one counts as absent', () => {
  const environment = {
    MONGODB_URI: ' mongodb://x ',
    PORT: '',
    DEMO: 'false',
    SERVER_URL: 'http://a.b/',
    OTHER: '1',
  };
  expect(readConfig(schema, environment)).toEqual({
    PORT: 8080,
    MONGODB_URI: 'mongodb://x',
    DEMO: false,
    TIMEOUT_MS: 5,
    SERVER_URL: 'http://a.b',
  });
});

test('a missing setting may have a message that says what to do', () => {
  const uri = z
    .string()
    .default('')
    .refine((value) => value !== '', 'is missing: name a server');
  const read = () => readConfig(z.object({ URI: uri, NAME: z.string() }), {});
  expect(read).toThrow('Invalid settings:\n  URI: is missing: name a server\n  NAME: is missing');
});

test('the error names every problem and repeats no value', () => {
  const environment = { PORT: 'eighty-secret', DEMO: 'yes', TIMEOUT_MS: '11', SERVER_URL: 'ftp://x' };
  const read = () => readConfig(schema, environment);
  expect(read).toThrow(ConfigError);
  expect(read).toThrow(/MONGODB_URI: is missing/);
  expect(read).toThrow(/PORT: must be a port number/);
  expect(read).toThrow(/DEMO: must be true or false/);
  expect(read).toThrow(/TIMEOUT_MS: must be a whole number from 1 to 10/);
  expect(read).toThrow(/SERVER_URL: must be an http or https address/);
  expect(read).not.toThrow(/eighty-secret/);
});

test.each([
  ['127.0.0.1', true],
  ['::', true],
  ['localhost', true],
  ['api-1.example.com', true],
  ['127.0.0.1:8080', false],
  ['http://localhost', false],
  ['300.1.2.3', false],
  ['a b', false],
])('a host to listen on may be %s: %s', (host, isValid) => {
  expect(hostSetting.safeParse(host).success).toBe(isValid);
});

test('a retention is a number of days or forever, and any other value names both', () => {
  const retention = z.object({ DAYS: keptDaysSetting.default(null) });
  const read = (value: string) => readConfig(retention, { DAYS: value }).DAYS;
  expect([read(''), read('forever'), read('7'), read('36500')]).toEqual([null, null, 7, 36_500]);
  for (const value of ['6', '36501', '7.5', '-7', '1e2', 'never'])
    expect(() => read(value)).toThrow(/DAYS: must be forever, or a whole number of days from 7 to 36500$/);
});
