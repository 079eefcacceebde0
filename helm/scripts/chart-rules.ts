import { chartConfig } from '@shelfwise/chart/config';
import { gatewayConfig } from '@shelfwise/gateway/config';
import { mcpConfig } from '@shelfwise/mcp/config';
import { nicheConfig } from '@shelfwise/niche/config';
import { notifyConfig } from '@shelfwise/notify/config';
import { scoringConfig } from '@shelfwise/scoring/config';
import { storeFetchConfig } from '@shelfwise/store-fetch/config';
import { trackingConfig } from '@shelfwise/tracking/config';

// biome-ignore lint/suspicious/noExplicitAny: a manifest of any kind
export type Manifest = any;

/** The settings that each process reads. */
export const settingsOf: Record<string, readonly string[]> = {
  gateway: Object.keys(gatewayConfig.shape),
  tracking: Object.keys(trackingConfig.shape),
  scoring: Object.keys(scoringConfig.shape),
  'store-fetch': Object.keys(storeFetchConfig.shape),
  niche: Object.keys(nicheConfig.shape),
  chart: Object.keys(chartConfig.shape),
  notify: Object.keys(notifyConfig.shape),
  mcp: Object.keys(mcpConfig.shape),
};

/** "Who calls whom" of docs/architecture.md. */
const callersOf: Record<string, readonly string[]> = {
  tracking: ['gateway', 'commands'],
  scoring: ['gateway', 'niche', 'commands'],
  'store-fetch': ['gateway', 'tracking', 'scoring', 'niche', 'chart'],
  niche: ['gateway'],
  chart: ['gateway'],
  notify: ['gateway'],
  mcp: ['gateway'],
};

/** Pods run with as few rights as they can, with limits and probes. Returns what is wrong. */
export function findPodProblems(manifests: readonly Manifest[]): string[] {
  const problems: string[] = [];
  for (const manifest of manifests) {
    const spec = manifest.kind === 'Pod' ? manifest.spec : manifest.spec?.template?.spec;
    if (spec?.containers === undefined) continue;
    const rule = (isKept: boolean, text: string) =>
      isKept || problems.push(`${manifest.metadata.name}: ${text}`);
    const pod = spec.securityContext ?? {};
    rule(pod.runAsNonRoot === true && pod.runAsUser > 0, 'runs as a user that is not root');
    rule(pod.seccompProfile?.type === 'RuntimeDefault', 'has the seccomp profile RuntimeDefault');
    rule(spec.automountServiceAccountToken === false, 'has no token of a service account');
    rule(spec.serviceAccountName === manifest.metadata.name, 'has a service account of its own');
    rule(!spec.hostNetwork && !spec.hostPID && !spec.hostIPC, 'has nothing of the node');
    rule(!(spec.volumes ?? []).some((volume: Manifest) => volume.hostPath), 'mounts nothing of the node');
    for (const container of [...spec.containers, ...(spec.initContainers ?? [])]) {
      const { securityContext: security = {}, resources = {} } = container;
      rule(security.allowPrivilegeEscalation === false, 'cannot gain rights');
      rule(security.readOnlyRootFilesystem === true, 'cannot write to its image');
      rule(security.capabilities?.drop?.includes('ALL'), 'has no capabilities');
      rule(resources.limits?.memory !== undefined, 'has a limit of memory');
      rule(resources.requests?.cpu !== undefined && resources.requests?.memory !== undefined, 'has requests');
      rule(!/(:latest|^[^:]+)$/.test(container.image), 'names the version of its image');
      if (manifest.kind === 'Deployment')
        for (const probe of ['startupProbe', 'readinessProbe', 'livenessProbe'])
          rule(container[probe] !== undefined, `has a ${probe}`);
    }
  }
  return problems;
}

/** Every variable is one that the process reads, once, and the heap fits into the limit of memory. */
export function findSettingProblems(manifests: readonly Manifest[]): string[] {
  const problems: string[] = [];
  const running = processes(manifests);
  const all = new Set(Object.values(settingsOf).flat());
  // `settings` are given to every process, and each reads those that it knows.
  const isShared = (variable: string) =>
    running.every(({ container }) => container.env.some((one: Manifest) => one.name === variable));
  for (const { name, container, manifest } of running) {
    const known = new Set([...(settingsOf[name] ?? []), 'NODE_OPTIONS']);
    const variables: string[] = container.env.map((one: Manifest) => one.name);
    for (const variable of variables) {
      const isRead = known.has(variable) || variable.startsWith('OTEL_');
      if (!isRead && !(all.has(variable) && isShared(variable)))
        problems.push(`${name} does not read ${variable}`);
    }
    if (new Set(variables).size < variables.length) problems.push(`${name} has a variable twice`);
    const heap = Number(
      /=(\d+)/.exec(container.env.find((one: Manifest) => one.name === 'NODE_OPTIONS').value)?.[1],
    );
    const limit = toMebibytes(container.resources.limits.memory);
    if (!(heap <= 0.8 * limit)) problems.push(`${name}: a heap of ${heap} MiB in ${limit} MiB`);
    const grace = manifest.spec.template.spec.terminationGracePeriodSeconds;
    const delay = container.env.find((one: Manifest) => one.name === 'STOP_DELAY_SECONDS')?.value ?? 0;
    const before = container.lifecycle.preStop.sleep.seconds + Number(delay);
    if (grace < before + 10)
      problems.push(`${name}: ${grace} s are less than its drain and the ten seconds of a stop`);
    // Callers keep the answers of DNS for 30 s.
    if (before <= 30) problems.push(`${name} takes calls for ${before} s only, while callers still find it`);
  }
  return problems;
}

/**
 * Callers find each service at a port that it listens on, and there is a Deployment for each part.
 * @param elsewhere the addresses of services of another release
 */
export function findServiceProblems(
  manifests: readonly Manifest[],
  parts: readonly string[],
  elsewhere: readonly string[],
): string[] {
  const problems: string[] = [];
  const running = processes(manifests);
  const names = running.map(({ name }) => name).sort();
  if (names.join() !== [...parts].sort().join()) problems.push(`Deployments for ${names.join(', ')}`);
  for (const { name, container } of running) {
    const service = manifests.find(
      ({ kind, metadata }) => kind === 'Service' && metadata.name === `shelfwise-${name}`,
    );
    if (service === undefined) {
      problems.push(`${name} has no Service`);
      continue;
    }
    const portOf = (wanted: string) =>
      container.ports.find((port: Manifest) => port.name === wanted)?.containerPort;
    for (const { targetPort, port } of service.spec.ports)
      if (portOf(targetPort) !== port) problems.push(`Service ${name}: ${port} is not ${targetPort}`);
    for (const { name: variable, value } of container.env) {
      if (
        !/^(MCP_URL|SHELFWISE_BASE_URL|(TRACKING|SCORING|STORE_FETCH|NICHE|CHART|NOTIFY)_ADDRESS)$/.test(
          variable,
        )
      )
        continue;
      if (elsewhere.includes(value)) continue;
      const [, host, port] = /^(?:http:\/\/)?([^:]+):(\d+)$/.exec(value) ?? [];
      const called = manifests.find(({ kind, metadata }) => kind === 'Service' && metadata.name === host);
      if (!called?.spec.ports.some((one: Manifest) => one.port === Number(port)))
        problems.push(`${name}: ${variable} ${value} is no Service`);
    }
  }
  return problems;
}

/**
 * In from outside: the gateway only. Out to the internet: store-fetch, notify, and the gateway when assistants can connect. In between:
 * who calls whom.
 */
export function findPolicyProblems(manifests: readonly Manifest[]): string[] {
  const problems: string[] = [];
  const policies = manifests.filter(({ kind }) => kind === 'NetworkPolicy');
  const component = (labels: Record<string, string>) => labels['app.kubernetes.io/component'];
  const isEverywhere = (peer: Manifest) => peer.ipBlock?.cidr === '0.0.0.0/0';
  for (const manifest of manifests.filter(({ kind }) => kind === 'Deployment')) {
    const name = component(manifest.metadata.labels) ?? '';
    const own = policies.filter(({ spec }) => component(spec.podSelector.matchLabels) === name);
    if (own.length !== 1) problems.push(`${name} has ${own.length} policies`);
    const { ingress = [], egress = [], policyTypes = [] } = own[0]?.spec ?? {};
    if (policyTypes.length !== 2) problems.push(`${name}: not both directions`);
    const ofMetrics = (rule: Manifest) => rule.ports.every((port: Manifest) => port.port === 'metrics');
    const isOpen = (rule: Manifest) =>
      !rule.from?.length || rule.from.some((peer: Manifest) => !peer.podSelector);
    if (name !== 'gateway' && ingress.some((rule: Manifest) => isOpen(rule) && !ofMetrics(rule)))
      problems.push(`${name} is open`);
    const callers: string[] = ingress
      .filter((rule: Manifest) => !ofMetrics(rule))
      .flatMap((rule: Manifest) => rule.from ?? [])
      .filter((peer: Manifest) => peer.podSelector)
      .map((peer: Manifest) => component(peer.podSelector.matchLabels))
      // Those of other releases.
      .filter((one: string | undefined) => one !== undefined);
    if (callersOf[name] && callers.sort().join() !== [...callersOf[name]].sort().join())
      problems.push(`${name} is called by ${callers}`);
    const open = egress.filter((rule: Manifest) => !rule.to?.length || rule.to.some(isEverywhere));
    const goesOut = ['store-fetch', 'notify'].includes(name) || (name === 'gateway' && canConnect(manifest));
    if (open.length > 0 !== goesOut) problems.push(`${name} reaches the internet: ${open.length > 0}`);
  }
  return problems;
}

/** Whether assistants can connect by themselves. */
function canConnect({ spec }: Manifest): boolean {
  const [{ env }] = spec.template.spec.containers;
  const value = (name: string) => env.find((one: Manifest) => one.name === name)?.value;
  return value('PUBLIC_URL') !== undefined && value('DASHBOARD') === 'true';
}

function toMebibytes(quantity: string): number {
  const [, amount, unit] = /^(\d+)(Mi|Gi)$/.exec(quantity) ?? [];
  return Number(amount) * (unit === 'Gi' ? 1024 : 1);
}

/** The containers of the gateway, the services and the assistant server. */
function processes(manifests: readonly Manifest[]) {
  return manifests
    .filter(
      ({ kind, metadata }) =>
        kind === 'Deployment' && metadata.labels['app.kubernetes.io/component'] !== 'commands',
    )
    .map((manifest) => {
      const [container] = manifest.spec.template.spec.containers;
      return { name: container.name as string, container, manifest };
    });
}
