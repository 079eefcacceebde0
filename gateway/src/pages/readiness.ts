import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  checkAll,
  PartState,
  type PartStatus,
  type StatusCheck,
  worstState,
} from '@shelfwise/runtime/process/status';
import type { Clients } from '../clients.ts';

/**
 * The state of the gateway, its database and the services behind it. `status` is `down` with one of the gateway's own parts,
 * `degraded` when any other part is not `ok`, and `draining` before a stop. While a service is down the gateway still
 * answers what the other services can, so a load balancer must not take it away.
 */
export type Readiness = {
  status: 'ready' | 'degraded' | 'down' | 'draining';
  /** Each service's parts, under its name. */
  services: Record<string, ShownPart[]>;
  settings: Readonly<Record<string, string>>;
};

type ShownPart = { name: string; state: string; detail: string; is_embedded: boolean };

/** Longer than a service's own checks take. */
const statusTimeoutMs = 1000;
/** Load balancers usually wait a second for this page, also while a service is frozen. */
const pageWaitMs = 300;
/** How long an answer is kept: the page needs no key, and calls of it are not limited. */
const keptMs = 1000;

/**
 * Reads all states in parallel, at most once a second: many page views do not cause many calls. A service that takes
 * longer than 300 ms is shown as the reading before found it. A drain is shown at once.
 */
export function createReadiness(deps: {
  checks: Readonly<Record<string, StatusCheck>>;
  services: Clients['status'];
  settings: Readonly<Record<string, string>>;
  isDraining: () => boolean;
  monotonicMs: () => number;
}): () => Promise<Readiness> {
  const { checks, services, settings, isDraining, monotonicMs } = deps;
  const serviceNames = Object.keys(services);
  const serviceReaders = serviceNames.map((name) => createServiceReader(name, services));
  let latest: { at: number; reading: Promise<Readiness> } | null = null;

  async function readAll(): Promise<Readiness> {
    const [gatewayParts, ...serviceParts] = await Promise.all([
      checkAll(checks),
      ...serviceReaders.map((read) => read()),
    ]);
    const ownState = worstState(gatewayParts);
    const isDegraded = worstState([gatewayParts, ...serviceParts].flat()) !== 'ok';
    const state = ownState === 'ok' && isDegraded ? 'degraded' : ownState;
    return {
      status: state === 'ok' ? 'ready' : state,
      services: {
        gateway: gatewayParts.map(toShownPart),
        ...Object.fromEntries(
          serviceNames.map((name, index) => [name, (serviceParts[index] ?? []).map(toShownPart)]),
        ),
      },
      settings,
    };
  }

  return async () => {
    const at = monotonicMs();
    if (latest === null || at - latest.at >= keptMs) latest = { at, reading: readAll() };
    const readiness = await latest.reading;
    return isDraining() ? { ...readiness, status: 'draining' } : readiness;
  };
}

/** Reads the parts of a service. Each reading goes on after the page has been answered. */
function createServiceReader(name: string, services: Clients['status']): () => Promise<PartStatus[]> {
  let known: PartStatus[] | null = null;
  return () => {
    const reading = readServiceStatus(name, services).then((parts) => {
      known = parts;
      return parts;
    });
    const silent = sleep(pageWaitMs, undefined, { ref: false }).then(
      () => known ?? [down(name, `did not answer within ${pageWaitMs} ms`)],
    );
    return Promise.race([reading, silent]);
  };
}

/** The states of the gateway's parts, and of each service behind it as that of its worst part, by its name. */
export function toStates({ services }: Readiness): { name: string; state: string }[] {
  const { gateway = [], ...behind } = services;
  const worstOf = (parts: readonly ShownPart[]) =>
    ['down', 'degraded'].find((state) => parts.some((part) => part.state === state)) ?? 'ok';
  return [
    ...gateway.map(({ name, state }) => ({ name, state })),
    ...Object.entries(behind).map(([name, parts]) => ({ name, state: worstOf(parts) })),
  ];
}

async function readServiceStatus(name: string, services: Clients['status']): Promise<PartStatus[]> {
  try {
    const deadline = new Date(Date.now() + statusTimeoutMs);
    const reply = await services[name]?.getStatus({}, { requestId: `health-${randomUUID()}`, deadline });
    return reply?.parts ?? [];
  } catch (error) {
    const detail = error instanceof Error ? error.message : 'does not answer';
    return [down(name, detail)];
  }
}

function down(name: string, detail: string): PartStatus {
  return { name, state: PartState.DOWN, detail, is_embedded: false };
}

function toShownPart({ name, state, detail, ...part }: PartStatus): ShownPart {
  return { name, state: state.toLowerCase(), detail, is_embedded: part.is_embedded };
}
