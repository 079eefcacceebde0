import { setTimeout as sleep } from 'node:timers/promises';
import { mapLimited } from '@shelfwise/runtime/concurrency/map-limited';
import type { Balancer } from '../lib/balancer.ts';
import type { Client } from './clients.ts';
import type { EventAudit } from './event-audit.ts';
import type { SpentRequests } from './spent-requests.ts';

/** For as long nothing may change for the better: how long everything takes depends on the machine. */
const patienceMs = 90_000;

/** What is wrong after a phase, once all events have arrived; each list is empty when all is well. */
export type Effects = {
  /** Acknowledged writes that are not stored. */
  lostWrites: string[];
  /** Keywords that are listed twice or were never sent, and quotas that counted too much. */
  doubled: string[];
  /** Events that a service has not applied, and keywords whose scores have not arrived. */
  lostEvents: string[];
  /** Quotas that counted too little. */
  uncounted: string[];
};

/** Waits until all events are applied, and compares what the API shows with the acknowledged calls. */
export async function verifyEffects(deps: {
  balancer: Balancer;
  clients: readonly Client[];
  spent: SpentRequests;
  events: EventAudit;
}): Promise<Effects> {
  const { clients, events } = deps;
  let deadline = performance.now() + patienceMs;
  let fewest = Number.POSITIVE_INFINITY;
  for (;;) {
    const compared = await mapLimited(clients, 4, (client) => compareClient(client, { ...deps, deadline }));
    const unapplied = await events.findUnapplied().catch((error: unknown) => [String(error)]);
    const all = (name: keyof Effects) => compared.flatMap((effects) => effects[name]);
    const effects = {
      lostWrites: all('lostWrites'),
      doubled: all('doubled'),
      lostEvents: [...unapplied, ...all('lostEvents')],
      uncounted: all('uncounted'),
    };
    const { length: wrong } = Object.values(effects).flat();
    if (wrong < fewest) deadline = performance.now() + patienceMs;
    fewest = Math.min(fewest, wrong);
    if (wrong === 0 || performance.now() > deadline) return effects;
    await sleep(2000);
  }
}

async function compareClient(
  { key, writer }: Client,
  { balancer, spent, deadline }: { balancer: Balancer; spent: SpentRequests; deadline: number },
): Promise<Effects> {
  const effects: Effects = { lostWrites: [], doubled: [], lostEvents: [], uncounted: [] };
  const read = async (path: string) => {
    for (;;) {
      const { status, code, body } = await balancer.call({ key, method: 'GET', path });
      if (status === 200) return body.data;
      if (performance.now() > deadline)
        throw new Error(`${path} is not answered after the fault: ${code} ${body?.error}`);
      await sleep(1000);
    }
  };
  if (writer) {
    const { lost, twice, withoutScores } = writer.compare(await read('/keywords?per_page=1000'));
    effects.lostWrites.push(...lost);
    effects.doubled.push(...twice);
    effects.lostEvents.push(...withoutScores.map((keyword) => `${keyword} has no scores`));
  }
  if (spent.of(key).possible > 0) {
    const { api_requests: counted } = (await read('/account/usage')).usage;
    const { certain, possible } = spent.of(key);
    if (counted < certain) effects.uncounted.push(`${counted} of ${certain} API requests`);
    if (counted > possible) effects.doubled.push(`${counted} API requests of ${possible} calls`);
  }
  return effects;
}
