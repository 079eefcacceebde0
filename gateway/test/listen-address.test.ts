import { bootGateway } from './harness/boot-gateway.ts';

test('HOST chooses the address on which the port is opened; without it all are', async () => {
  const local = await bootGateway({ host: '127.0.0.1' });
  const everywhere = await bootGateway();
  const addresses = [local, everywhere].map(({ gateway }) => gateway.address()?.address);
  await Promise.all([local.stop(), everywhere.stop()]);
  expect(addresses[0]).toBe('127.0.0.1');
  expect(['::', '0.0.0.0']).toContain(addresses[1]);
});

test('an address that this machine does not have is a sentence that names the setting', async () => {
  // RFC 5737 reserves this address for documentation.
  await expect(bootGateway({ host: '192.0.2.1' })).rejects.toThrow(
    /of 192\.0\.2\.1 cannot be used .*Set PORT or HOST/,
  );
});
