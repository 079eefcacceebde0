import { randomUUID } from 'node:crypto';
import {
  checkAll,
  PartState,
  type PartStatus,
  type StatusCheck,
  worstState,
} from '@shelfwise/runtime/process/status';
import type { Clients } from '../clients.ts';

/** How the gateway, its database and the services behind it are. */
export type Readiness = {
  status: 'ready' | 'degraded' | 'down' | 'draining';
  /** Each service's parts, under its name. */
  services: Record<string, ShownPart[]>;
  settings: Readonly<Record<string, string>>;
};

type ShownPart = { name: string; state: string; detail: string; is_embedded: boolean };

const askTimeoutMs = 1000;

/** Asks everybody at once. Callers at the same time share one answer, so that the page cannot be used to ask more. */
export function createReadiness(deps: {
  checks: Readonly<Record<string, StatusCheck>>;
  services: Clients['status'];
  settings: Readonly<Record<string, string>>;
  isDraining: () => boolean;
}): () => Promise<Readiness> {
  const { checks, services, settings, isDraining } = deps;
  let asking: Promise<Readiness> | null = null;

  async function ask(): Promise<Readiness> {
    const names = Object.keys(services);
    const [own, ...others] = await Promise.all([
      checkAll(checks),
      ...names.map((name) => askService(name, services)),
    ]);
    const state = worstState([own, ...others].flat());
    return {
      status: isDraining() ? 'draining' : state === 'ok' ? 'ready' : state,
      services: {
        gateway: own.map(toShown),
        ...Object.fromEntries(names.map((name, index) => [name, (others[index] ?? []).map(toShown)])),
      },
      settings,
    };
  }

  return () => {
    asking ??= ask().finally(() => {
      asking = null;
    });
    return asking;
  };
}

async function askService(name: string, services: Clients['status']): Promise<PartStatus[]> {
  try {
    const deadline = new Date(Date.now() + askTimeoutMs);
    const reply = await services[name]?.getStatus({}, { requestId: `health-${randomUUID()}`, deadline });
    return reply?.parts ?? [];
  } catch (error) {
    const detail = error instanceof Error ? error.message : 'does not answer';
    return [{ name, state: PartState.DOWN, detail, is_embedded: false }];
  }
}

function toShown({ name, state, detail, is_embedded: isEmbedded }: PartStatus): ShownPart {
  return { name, state: state.toLowerCase(), detail, is_embedded: isEmbedded };
}
