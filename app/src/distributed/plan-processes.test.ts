import { readFileSync } from 'node:fs';
import { planProcesses } from './plan-processes.ts';

const secret = 'a'.repeat(32);
const secretsKey = 'b'.repeat(64);
const ports = { secret, secretsKey, port: 8080, metricsPort: null, servicePort: 15_051 };

test('every process gets the addresses of all copies of each service', () => {
  const planned = planProcesses({ scoring: 3 }, ports);
  expect(planned).toHaveLength(10);
  for (const { settings } of planned)
    expect(settings).toMatchObject({
      SCORING_ADDRESS: '127.0.0.1:15053,127.0.0.1:15063,127.0.0.1:15073',
      TRACKING_ADDRESS: '127.0.0.1:15051',
    });
  const scoring = planned.filter(({ part }) => part === 'scoring');
  expect(scoring.map(({ name, settings }) => [name, settings.GRPC_ADDRESS])).toEqual([
    ['scoring-1', '127.0.0.1:15053'],
    ['scoring-2', '127.0.0.1:15063'],
    ['scoring-3', '127.0.0.1:15073'],
  ]);
});

test('gateways listen on PORT and the following ports, and every process has metrics of its own', () => {
  const planned = planProcesses({ gateway: 2 }, { ...ports, port: 9000, metricsPort: 9100 });
  const gateways = planned.filter(({ part }) => part === 'gateway');
  expect(gateways.map(({ settings }) => settings.PORT)).toEqual(['9000', '9001']);
  expect(planned.map(({ settings }) => settings.METRICS_PORT)).toEqual(
    planned.map((_, index) => String(9100 + index)),
  );
});

test('services of a second system listen elsewhere', () => {
  const [storeFetch] = planProcesses({}, { ...ports, servicePort: 20_001 });
  expect(storeFetch?.settings).toMatchObject({
    GRPC_ADDRESS: '127.0.0.1:20002',
    TRACKING_ADDRESS: '127.0.0.1:20001',
    CHART_ADDRESS: '127.0.0.1:20005',
  });
});

test('no two processes listen on the same port, whatever the number of copies', () => {
  const planned = planProcesses(
    { tracking: 20, 'store-fetch': 20, scoring: 20, niche: 20, chart: 20, notify: 20, mcp: 20 },
    ports,
  );
  const addresses = planned.flatMap(({ settings }) => settings.GRPC_ADDRESS ?? settings.MCP_ADDRESS ?? []);
  expect(new Set(addresses).size).toBe(140);
});

test.each([
  [undefined, 'http://127.0.0.1'],
  ['0.0.0.0', 'http://127.0.0.1'],
  ['::', 'http://[::1]'],
  ['192.168.1.5', 'http://192.168.1.5'],
])('with HOST %s an assistant server and a gateway call each other', (host, base) => {
  const planned = planProcesses({ gateway: 3, mcp: 2 }, { ...ports, host });
  const read = (part: string, setting: string) =>
    planned.filter((one) => one.part === part).map(({ settings }) => settings[setting]);
  expect(read('mcp', 'MCP_ADDRESS')).toEqual(['127.0.0.1:15057', '127.0.0.1:15067']);
  expect(read('mcp', 'SHELFWISE_BASE_URL')).toEqual([`${base}:8080`, `${base}:8081`]);
  expect(read('gateway', 'MCP_URL')).toEqual([
    'http://127.0.0.1:15057',
    'http://127.0.0.1:15067',
    'http://127.0.0.1:15057',
  ]);
});

test('the example for Prometheus has the ports of each part', () => {
  const file = readFileSync('deploy/monitoring/prometheus-distributed.yml', 'utf8');
  const planned = planProcesses({ scoring: 2, tracking: 2, gateway: 2 }, { ...ports, metricsPort: 9464 });
  const portsOf = (part: string) =>
    planned.filter((one) => one.part === part).map(({ settings }) => `'127.0.0.1:${settings.METRICS_PORT}'`);
  for (const part of new Set(planned.map((one) => one.part)))
    expect(file).toContain(`- targets: [${portsOf(part).join(', ')}]\n        labels: { process: ${part} }`);
});

test('every process has the secret of the services, except the assistant server', () => {
  for (const { part, settings } of planProcesses({ gateway: 2 }, ports))
    expect([part, settings.GRPC_SECRET]).toEqual([part, part === 'mcp' ? '' : secret]);
});

test('only the copies of notify have the key of secrets', () => {
  for (const { part, settings } of planProcesses({ notify: 2 }, ports))
    expect([part, settings.SECRETS_KEY]).toEqual([part, part === 'notify' ? secretsKey : '']);
});

test('only notify gets the mail server of the terminal', () => {
  for (const { part, settings } of planProcesses({ notify: 2 }, ports))
    expect([part, settings.SMTP_URL, settings.MAIL_FROM]).toEqual(
      part === 'notify' ? [part, undefined, undefined] : [part, '', ''],
    );
});
