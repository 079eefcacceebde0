import { randomUUID } from 'node:crypto';
import {
  checkAll,
  PartState,
  type PartStatus,
  type StatusCheck,
  worstState,
} from '@shelfwise/runtime/process/status';
import type { Clients } from '../clients.ts';

/**
 * The state of the gateway, its database and the services behind it. `status` is `down` when one of the gateway's own
 * parts is, `degraded` when any other part is not `ok`, and `draining` as soon as the gateway is about to stop. While a
 * service is down the gateway still answers what the other services can, so a load balancer must not take it away.
 */
export type Readiness = {
  status: 'ready' | 'degraded' | 'down' | 'draining';
  /** Each service's parts, under its name. */
  services: Record<string, ShownPart[]>;
  settings: Readonly<Record<string, string>>;
};

type ShownPart = { name: string; state: string; detail: string; is_embedded: boolean };

const statusTimeoutMs = 1000;

/**
 * Reads all states in parallel. Concurrent callers share one reading, so that many page views do not cause many calls.
 */
export function createReadiness(deps: {
  checks: Readonly<Record<string, StatusCheck>>;
  services: Clients['status'];
  settings: Readonly<Record<string, string>>;
  isDraining: () => boolean;
}): () => Promise<Readiness> {
  const { checks, services, settings, isDraining } = deps;
  let inFlight: Promise<Readiness> | null = null;

  async function readAll(): Promise<Readiness> {
    const names = Object.keys(services);
    const [gatewayParts, ...serviceParts] = await Promise.all([
      checkAll(checks),
      ...names.map((name) => readServiceStatus(name, services)),
    ]);
    const ownState = worstState(gatewayParts);
    const isDegraded = worstState([gatewayParts, ...serviceParts].flat()) !== 'ok';
    const state = ownState === 'ok' && isDegraded ? 'degraded' : ownState;
    return {
      status: isDraining() ? 'draining' : state === 'ok' ? 'ready' : state,
      services: {
        gateway: gatewayParts.map(toShownPart),
        ...Object.fromEntries(
          names.map((name, index) => [name, (serviceParts[index] ?? []).map(toShownPart)]),
        ),
      },
      settings,
    };
  }

  return () => {
    inFlight ??= readAll().finally(() => {
      inFlight = null;
    });
    return inFlight;
  };
}

async function readServiceStatus(name: string, services: Clients['status']): Promise<PartStatus[]> {
  try {
    const deadline = new Date(Date.now() + statusTimeoutMs);
    const reply = await services[name]?.getStatus({}, { requestId: `health-${randomUUID()}`, deadline });
    return reply?.parts ?? [];
  } catch (error) {
    const detail = error instanceof Error ? error.message : 'does not answer';
    return [{ name, state: PartState.DOWN, detail, is_embedded: false }];
  }
}

function toShownPart({ name, state, detail, ...part }: PartStatus): ShownPart {
  return { name, state: state.toLowerCase(), detail, is_embedded: part.is_embedded };
}
