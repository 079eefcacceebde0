import { z } from 'zod';
import { readConfig } from '../process/config.ts';
import { readRedisTls, redisSettings } from './redis-settings.ts';
import { describeRedis, parseRedisUrl } from './redis-url.ts';

test.each([
  ['redis://cache', 'single', 'cache:6379', { db: 0, hasTls: false }],
  ['rediss://cache:7000/3', 'single', 'cache:7000', { db: 3, hasTls: true }],
  ['redis://:p%40ss:word@[::1]:7000', 'single', '::1:7000', { password: 'p@ss:word' }],
  [
    'redis-sentinel://user:secret@a,b:7001/main?db=2&sentinel_password=other',
    'sentinel',
    'master main of the sentinels a:26379,b:7001',
    { username: 'user', password: 'secret', sentinelPassword: 'other', db: 2 },
  ],
  ['redis-cluster://a:1,b:2', 'cluster', 'cluster a:1,b:2', { db: 0 }],
  ['rediss-cluster://user:secret@a', 'cluster', 'cluster a:6379', { hasTls: true }],
])('%s is a %s, shown as "%s"', (url, kind, shown, fields) => {
  const address = parseRedisUrl(url);
  expect(address).toMatchObject({ kind, ...fields });
  expect(address && describeRedis(address)).toBe(shown);
});

test.each([
  'localhost:6379',
  'http://localhost',
  'redis://',
  'redis://a,b',
  'redis://a:0',
  'redis://a:70000',
  'redis://a/first',
  'redis-sentinel://a:1',
  'redis-cluster://a:1/0',
  'redis-cluster://a?db=1',
])('%s is refused with the possible forms, and without the address', (url) => {
  const read = () =>
    readConfig(z.object(redisSettings), { REDIS_URL: url.replace('://', '://user:secret@') });
  expect(read).toThrow(/REDIS_URL: must be redis:\/\//);
  expect(read).not.toThrow(/secret/);
});

test.each(['redis://user:100%secret@a', 'redis-sentinel://a/100%secret'])(
  '%s, a percent sign that encodes nothing, is refused without the address',
  (url) => {
    const read = () => readConfig(z.object(redisSettings), { REDIS_URL: url });
    expect(read).toThrow(/REDIS_URL: must be redis:\/\//);
    expect(read).not.toThrow(/secret/);
  },
);

test('without the setting there is no address; the prefix has a default', () => {
  expect(readConfig(z.object(redisSettings), {})).toEqual({ REDIS_PREFIX: 'shelfwise' });
});

test.each([
  [{ REDIS_TLS_CA: '/ca.pem' }, /REDIS_URL: must begin with rediss/],
  [{ REDIS_URL: 'redis://a', REDIS_TLS_CA: '/ca.pem' }, /REDIS_URL: must begin with rediss/],
  [{ REDIS_URL: 'rediss://a', REDIS_TLS_CA: '/does/not/exist' }, /REDIS_TLS_CA: cannot be read/],
  [{ REDIS_URL: 'rediss://a', REDIS_TLS_CA: 'package.json' }, /REDIS_TLS_CA: is not a certificate/],
  [{ REDIS_URL: 'rediss://a', REDIS_TLS_CERT: '/cert.pem' }, /REDIS_TLS_KEY: is missing/],
])('certificates that cannot be used stop the start: %j', (given, message) => {
  expect(() => readRedisTls(readConfig(z.object(redisSettings), given))).toThrow(message);
});
