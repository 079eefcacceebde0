import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { partNames } from '@shelfwise/app/distributed/plan-processes';
import { chartConfig } from '@shelfwise/chart/config';
import { gatewayConfig } from '@shelfwise/gateway/config';
import { mcpConfig } from '@shelfwise/mcp/config';
import { nicheConfig } from '@shelfwise/niche/config';
import { notifyConfig } from '@shelfwise/notify/config';
import { scoringConfig } from '@shelfwise/scoring/config';
import { storeFetchConfig } from '@shelfwise/store-fetch/config';
import { trackingConfig } from '@shelfwise/tracking/config';
import { Ajv } from 'ajv';
import { parse } from 'yaml';

const root = join(__dirname, '..');
const compose = parse(readFileSync(join(root, 'deploy/compose.yaml'), 'utf8'), { merge: true });
const schema = JSON.parse(readFileSync(join(root, 'deploy/schemas/compose-spec.json'), 'utf8'));

const configs: Record<(typeof partNames)[number], { shape: Record<string, unknown> }> = {
  gateway: gatewayConfig,
  tracking: trackingConfig,
  scoring: scoringConfig,
  'store-fetch': storeFetchConfig,
  niche: nicheConfig,
  chart: chartConfig,
  notify: notifyConfig,
  mcp: mcpConfig,
};

function check(file: unknown): unknown[] {
  const { $schema: _, ...draft7 } = schema;
  const validate = new Ajv({ strict: false, allErrors: true, validateFormats: false }).compile(draft7);
  return validate(file) ? [] : (validate.errors ?? []);
}

test('the compose file is as the specification says', () => {
  expect(check(compose)).toEqual([]);
});

test('the schema refuses what is misspelt', () => {
  const { services, ...rest } = compose;
  expect(
    check({ ...rest, services: { ...services, gateway: { ...services.gateway, port: [] } } }),
  ).not.toEqual([]);
});

test.each(partNames)('%s has its image, reads its settings, and finds what it calls', (name) => {
  const { build, environment, healthcheck, read_only, cap_drop } = compose.services[name];
  const workspace = build.args.WORKSPACE;
  expect(existsSync(join(root, workspace, 'src/main.ts'))).toBe(true);
  expect(workspace.endsWith(name)).toBe(true);
  expect(existsSync(join(root, 'deploy', build.context, build.dockerfile))).toBe(true);
  expect({ read_only, cap_drop, test: healthcheck.test.join(' ') }).toEqual({
    read_only: true,
    cap_drop: ['ALL'],
    test: expect.stringContaining('9464/readyz'),
  });
  // All services share one list of settings: each of them is read by one of the parts.
  const known = new Set(Object.values(configs).flatMap(({ shape }) => Object.keys(shape)));
  expect(Object.keys(environment).filter((setting) => !known.has(setting))).toEqual([]);
  for (const [setting, value] of Object.entries<string>(environment)) {
    const [, host = '', port] = /^(?:http:\/\/)?([a-z-]+):(\d+)$/.exec(value) ?? [];
    if (!/_ADDRESS$|^MCP_URL$|^SHELFWISE_BASE_URL$/.test(setting) || port === undefined) continue;
    const { GRPC_ADDRESS, MCP_ADDRESS } = compose.services[host].environment;
    const listens = host === 'gateway' ? '0.0.0.0:8080' : host === 'mcp' ? MCP_ADDRESS : GRPC_ADDRESS;
    expect([setting, listens]).toEqual([setting, `0.0.0.0:${port}`]);
  }
});

test('every required setting of a part is set', () => {
  for (const name of partNames) {
    const { environment } = compose.services[name];
    const result = (configs[name] as typeof gatewayConfig).safeParse(
      Object.fromEntries(
        Object.entries<string>(environment)
          .map(([setting, value]) => [setting, value.replace(/^\$\{\w+:-(.*)\}$/, '$1')])
          .map(([setting, value = '']) => [setting, value.replace(/^\$\{\w+:\?.*\}$/, 'x'.repeat(32))])
          .filter(([, value]) => value !== ''),
      ),
    );
    expect([name, result.error?.issues ?? []]).toEqual([name, []]);
  }
});

test('only the gateway is published, and only it, store-fetch and notify reach the internet', () => {
  const published = Object.keys(compose.services).filter((name) => compose.services[name].ports);
  expect(published).toEqual(['gateway']);
  expect(compose.networks.internal).toEqual({ internal: true });
  const membersOf = (network: string) =>
    Object.keys(compose.services).filter((name) => compose.services[name].networks.includes(network));
  expect(membersOf('outside')).toEqual(['gateway', 'store-fetch', 'notify']);
});

test('the secret of the services is required, and the assistant server does not have it', () => {
  for (const name of partNames)
    expect([name, compose.services[name].environment.GRPC_SECRET]).toEqual([
      name,
      name === 'mcp' ? undefined : expect.stringMatching(/^\$\{GRPC_SECRET:\?.*\}$/),
    ]);
});
