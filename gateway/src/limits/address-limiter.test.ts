import { type RedisConnection, RedisUnavailable } from '@shelfwise/runtime/redis/connect-redis';
import {
  addressGroup,
  createAddressLimiter,
  createSharedAddressLimiter,
  toGroup,
} from './address-limiter.ts';

test('an address may make a number of calls a minute; the next call gets the seconds to wait', async () => {
  const limiter = createAddressLimiter(30);
  for (let attempt = 0; attempt < 30; attempt++)
    expect(await limiter.count('10.0.0.1', undefined)).toBeNull();
  const secondsToWait = await limiter.count('10.0.0.1', undefined);
  expect(secondsToWait).toBeGreaterThanOrEqual(1);
  expect(secondsToWait).toBeLessThanOrEqual(60);
  expect(await limiter.count('10.0.0.2', undefined)).toBeNull();
});

test('a call with a malformed address in its header counts for the peer of the connection', async () => {
  const limiter = createAddressLimiter(30);
  for (let attempt = 0; attempt < 30; attempt++) await limiter.count(`invalid-${attempt}`, '10.0.0.1');
  expect(await limiter.count('invalid-again', '10.0.0.1')).not.toBeNull();
});

test('while Redis is away a gateway counts by itself', async () => {
  const away = async () => {
    throw new RedisUnavailable('away');
  };
  const limiter = createSharedAddressLimiter({ client: {}, run: away } as unknown as RedisConnection, 30);
  for (let attempt = 0; attempt < 30; attempt++)
    expect(await limiter.count('10.0.0.1', undefined)).toBeNull();
  expect(await limiter.count('10.0.0.1', undefined)).toBe(60);
});

test.each([
  ['10.1.2.3', '10.1.2.3'],
  ['::ffff:10.1.2.3', '10.1.2.3'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002:ffff::', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('a call from %s counts for %s', (address, group) => {
  expect(addressGroup(address)).toBe(group);
});

test('the /48 of an IPv6 address has all its networks, and an IPv4 address is itself', () => {
  expect(addressGroup('2001:db8:1:2::1', 48)).toBe('2001:db8:1::/48');
  expect(addressGroup('2001:db8:1:ffff::1', 48)).toBe('2001:db8:1::/48');
  expect(addressGroup('2001:db8:2::1', 48)).toBe('2001:db8:2::/48');
  expect(addressGroup('10.0.0.1', 48)).toBe('10.0.0.1');
});

test('a malformed address belongs to the peer of the connection', () => {
  expect(toGroup('invalid', '10.0.0.1', 48)).toBe('10.0.0.1');
});
