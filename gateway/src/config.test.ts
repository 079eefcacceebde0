import { ConfigError, readConfig } from '@shelfwise/runtime/process/config';
import { gatewayConfig } from './config.ts';

const needed = {
  MONGODB_URI: 'mongodb://127.0.0.1:27017',
  TRACKING_ADDRESS: '127.0.0.1:1',
  SCORING_ADDRESS: '127.0.0.1:2',
  STORE_FETCH_ADDRESS: '127.0.0.1:3',
  NICHE_ADDRESS: '127.0.0.1:4',
  CHART_ADDRESS: '127.0.0.1:5',
  NOTIFY_ADDRESS: '127.0.0.1:6',
};
const trustProxyOf = (trustProxy?: string) =>
  readConfig(gatewayConfig, { ...needed, TRUST_PROXY: trustProxy }).TRUST_PROXY;

test.each([
  [undefined, false],
  ['0', false],
  ['2', 2],
  ['10.0.0.0/8', ['10.0.0.0/8']],
  ['10.0.0.1, 2001:db8::/32', ['10.0.0.1', '2001:db8::/32']],
])('TRUST_PROXY=%s is accepted', (text, expected) => {
  expect(trustProxyOf(text)).toEqual(expected);
});

test.each([
  'true',
  '-1',
  '17',
  'loopback',
  '10.0.0.0/33',
  '10.0.0.0/0',
  '10.0.0.1,',
  'proxy.example.com',
  '1.5',
])('TRUST_PROXY=%s is refused at startup', (text) => {
  expect(() => trustProxyOf(text)).toThrow(ConfigError);
});

test('REDIS_URL is optional, and an invalid one is refused', () => {
  expect(readConfig(gatewayConfig, needed).REDIS_URL).toBeUndefined();
  expect(readConfig(gatewayConfig, { ...needed, REDIS_URL: 'redis://cache:6380' }).REDIS_URL).toMatchObject({
    nodes: [{ host: 'cache', port: 6380 }],
  });
  expect(() => readConfig(gatewayConfig, { ...needed, REDIS_URL: 'cache:6380' })).toThrow(
    /REDIS_URL: must be/,
  );
});

test.each([
  [undefined, ['localhost']],
  ['ASO.example, localhost', ['aso.example', 'localhost']],
])('MCP_HOSTS=%s is accepted', (hosts, expected) => {
  expect(readConfig(gatewayConfig, { ...needed, MCP_HOSTS: hosts }).MCP_HOSTS).toEqual(expected);
});

test.each([
  ['MCP_HOSTS', 'https://aso.example'],
  ['MCP_HOSTS', 'aso.example,'],
  ['MCP_URL', 'localhost:8090'],
  ['MCP_URL', 'ftp://localhost'],
])('%s=%s is refused at startup', (name, value) => {
  expect(() => readConfig(gatewayConfig, { ...needed, [name]: value })).toThrow(new RegExp(name));
});
