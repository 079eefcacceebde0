import type { ServiceName } from '../clients.ts';
import { createServiceSlots, type ServiceSlots, type Slot } from './service-slots.ts';
import { createSlotLimit, type SlotLimit } from './slot-limit.ts';

/** Calls of all services in progress; more when more were answered in a second lately. */
const calmTotal = 125;

export type Slots = ReturnType<typeof createSlots>;

/**
 * The slots of the calls in progress of each service, and of all together: services on one machine slow each other down.
 * @param monotonicMs never goes back, in ms
 */
export function createSlots(monotonicMs: () => number) {
  const limits = {
    tracking: createSlotLimit(),
    scoring: createSlotLimit(),
    'store-fetch': createSlotLimit(),
    niche: createSlotLimit(),
    chart: createSlotLimit(),
    notify: createSlotLimit(),
  } satisfies Record<ServiceName, SlotLimit>;
  const bestPerSecond = () => Object.values(limits).reduce((sum, limit) => sum + limit.bestPerSecond(), 0);
  const all = createServiceSlots({
    monotonicMs,
    limit: {
      current: () => Math.max(calmTotal, bestPerSecond()),
      onRefusal() {},
      onAnswer() {},
    },
  });
  const create = (name: ServiceName) => createServiceSlots({ monotonicMs, limit: limits[name] });
  const services: Record<ServiceName, ServiceSlots> = {
    tracking: create('tracking'),
    scoring: create('scoring'),
    'store-fetch': create('store-fetch'),
    niche: create('niche'),
    chart: create('chart'),
    notify: create('notify'),
  };
  const poolsOf = (names: readonly ServiceName[]) => [
    { name: 'all' as const, slots: all },
    ...names.map((name) => ({ name, slots: services[name] })),
  ];

  return {
    /** What has no slot left for the account, if anything has none. */
    findFull: (names: readonly ServiceName[], accountId: string): ServiceName | 'all' | undefined =>
      poolsOf(names).find(({ slots }) => !slots.hasRoom(accountId))?.name,
    /** A slot with all services together and with each of these, or what has none left. */
    take(names: readonly ServiceName[], accountId: string): { slot: Slot } | { full: ServiceName | 'all' } {
      const taken: Slot[] = [];
      for (const { name, slots } of poolsOf(names)) {
        const slot = slots.take(accountId);
        if (slot === null) {
          joinSlots(taken).free();
          return { full: name };
        }
        taken.push(slot);
      }
      return { slot: joinSlots(taken) };
    },
    /** How many calls of each service may be in progress. */
    limits: (): Record<string, number> =>
      Object.fromEntries(Object.entries(services).map(([name, { limit }]) => [name, limit()])),
  };
}

function joinSlots(slots: readonly Slot[]): Slot {
  return {
    answer(hasWaited) {
      for (const slot of slots) slot.answer(hasWaited);
    },
    free() {
      for (const slot of slots) slot.free();
    },
  };
}
