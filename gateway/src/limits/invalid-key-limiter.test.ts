import { addressGroup, createInvalidKeyLimiter } from './invalid-key-limiter.ts';

test('an address may send 30 invalid keys a minute, then it must wait', async () => {
  const limiter = createInvalidKeyLimiter();
  for (let attempt = 0; attempt < 30; attempt++)
    expect(await limiter.countAttempt('10.0.0.1', undefined)).toBeNull();
  const seconds = await limiter.countAttempt('10.0.0.1', undefined);
  expect(seconds).toBeGreaterThanOrEqual(1);
  expect(seconds).toBeLessThanOrEqual(60);
  expect(await limiter.countAttempt('10.0.0.2', undefined)).toBeNull();
});

test('an invalid address in a header counts for the connection that sent it', async () => {
  const limiter = createInvalidKeyLimiter();
  for (let attempt = 0; attempt < 30; attempt++) await limiter.countAttempt(`invalid-${attempt}`, '10.0.0.1');
  expect(await limiter.countAttempt('invalid-again', '10.0.0.1')).not.toBeNull();
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
])('%s counts as %s', (address, group) => {
  expect(addressGroup(address)).toBe(group);
});
