import { hostsOf, listenAddressSetting, serviceAddressSetting, toTarget } from './service-address.ts';

test.each([
  ['probe:50053', 'dns:///probe:50053', ['probe']],
  ['10.0.0.1:50053', 'dns:///10.0.0.1:50053', ['10.0.0.1']],
  ['[::1]:50053', 'dns:///[::1]:50053', ['::1']],
  ['127.0.0.1:1,127.0.0.1:2', 'ipv4:127.0.0.1:1,127.0.0.1:2', ['127.0.0.1']],
  ['10.0.0.1:1, 10.0.0.2:1', 'ipv4:10.0.0.1:1,10.0.0.2:1', ['10.0.0.1', '10.0.0.2']],
  ['[::1]:1,[::2]:1', 'ipv6:[::1]:1,[::2]:1', ['::1', '::2']],
  ['unix:/run/probe.sock', 'unix:/run/probe.sock', []],
])('%s is reached as %s', (address, target, hosts) => {
  expect(serviceAddressSetting.parse(address)).toBe(address);
  expect(toTarget(address)).toBe(target);
  expect(hostsOf(address)).toEqual(hosts);
});

test.each([
  'probe',
  'probe:',
  'probe:0',
  'probe:65536',
  'http://probe:50053',
  'a:1,b:2',
  '127.0.0.1:1,probe:2',
  '127.0.0.1:1,[::1]:2',
  '127.0.0.1:1,',
  '::1:50053',
  '[probe]:1',
])('%s is refused', (address) => {
  expect(serviceAddressSetting.safeParse(address).error?.issues[0]?.message).toBe(
    'must be host:port, or IP addresses with ports, separated by commas',
  );
});

test.each(['127.0.0.1:50053', 'probe:0', '0.0.0.0:50053', '[::]:50053', 'unix:/run/probe.sock'])(
  'a service may listen on %s',
  (address) => {
    expect(listenAddressSetting.parse(address)).toBe(address);
  },
);

test.each(['50053', 'probe', 'probe:65536', 'http://probe:50053', '127.0.0.1:1,127.0.0.1:2'])(
  'a service cannot listen on %s',
  (address) => {
    expect(listenAddressSetting.safeParse(address).error?.issues[0]?.message).toBe(
      'must be host:port, or unix:/path',
    );
  },
);
