import type { WaitingCallers } from './waiting-callers.ts';

/** The entries of one caller in the queue. */
type Line<Item> = {
  /** Ascending from the first line to the last. */
  turn: number;
  /** By group, first come first served. */
  groups: Map<string, Set<Item>>;
};

type Entry = { group: string; callers: Set<string>; stopListening: () => void };

export type FairQueue<Item> = ReturnType<typeof createFairQueue<Item>>;

/**
 * A queue of items that callers wait for. Callers are served in turn (round robin), and the items of a caller in order
 * of arrival. Between the arrival of a caller that waits for nothing else and the moment when it is served, no other
 * caller is served twice. An item of several callers is served in the first of their turns.
 *
 * `groupOf` separates items that cannot be served under the same conditions. Turns count across groups.
 * `firstCaller` is always served before all others.
 */
export function createFairQueue<Item>(
  groupOf: (item: Item) => string = () => '',
  firstCaller: string | null = null,
) {
  const entries = new Map<Item, Entry>();
  /** By caller, in the order of their turns. */
  const lines = new Map<string, Line<Item>>();
  const groupSizes = new Map<string, number>();
  let turnCount = 0;

  function enter(callerId: string, item: Item, group: string): void {
    const line = lines.get(callerId) ?? { turn: turnCount++, groups: new Map<string, Set<Item>>() };
    lines.set(callerId, line);
    line.groups.set(group, (line.groups.get(group) ?? new Set()).add(item));
  }

  function exit(callerId: string, item: Item, group: string): void {
    const groups = lines.get(callerId)?.groups;
    const items = groups?.get(group);
    items?.delete(item);
    if (items?.size === 0) groups?.delete(group);
    if (groups?.size === 0) lines.delete(callerId);
  }

  /** The last caller stays: `remove` ends the waiting. */
  function changeCallers(item: Item, callerId: string, change: 'joined' | 'left'): void {
    const entry = entries.get(item);
    if (!entry) return;
    const { callers, group } = entry;
    if (change === 'joined' && !callers.has(callerId)) {
      callers.add(callerId);
      enter(callerId, item, group);
    } else if (change === 'left' && callers.size > 1 && callers.delete(callerId)) exit(callerId, item, group);
  }

  function remove(item: Item): boolean {
    const entry = entries.get(item);
    if (!entry) return false;
    const { group, callers, stopListening } = entry;
    stopListening();
    for (const callerId of callers) exit(callerId, item, group);
    entries.delete(item);
    const size = (groupSizes.get(group) ?? 0) - 1;
    if (size > 0) groupSizes.set(group, size);
    else groupSizes.delete(group);
    return true;
  }

  function firstCallerOf(item: Item): string | undefined {
    const callers = [...(entries.get(item)?.callers ?? [])];
    return callers.sort((a, b) => turnOfCaller(a) - turnOfCaller(b))[0];
  }

  function turnOfCaller(callerId: string): number {
    const line = lines.get(callerId);
    if (!line) return Number.POSITIVE_INFINITY;
    // Turns are counted from 0.
    return callerId === firstCaller ? -1 : line.turn;
  }

  function* linesInTurn(): Generator<[callerId: string, line: Line<Item>]> {
    const first = firstCaller === null ? undefined : lines.get(firstCaller);
    if (firstCaller !== null && first) yield [firstCaller, first];
    for (const [callerId, line] of lines) if (callerId !== firstCaller) yield [callerId, line];
  }

  function* inTurn(group: string): Generator<Item> {
    for (const [, { groups }] of linesInTurn()) yield* groups.get(group) ?? [];
  }

  return {
    /** Queues an item, at the end of the line of each of its callers. Follows the callers while it is queued. */
    add(item: Item, callers: WaitingCallers): void {
      const group = groupOf(item);
      const stopListening = callers.onChange((callerId, change) => changeCallers(item, callerId, change));
      const ids = new Set(callers.ids());
      entries.set(item, { group, callers: ids, stopListening });
      groupSizes.set(group, (groupSizes.get(group) ?? 0) + 1);
      for (const callerId of ids) enter(callerId, item, group);
    },

    /** Takes an item out without serving it. Returns false when it is not queued. */
    remove,

    /**
     * Takes an item out and ends the turn of its caller, which goes to the end of the round. `callerId` must be a caller
     * of the item; default: the one whose turn comes first.
     */
    serve(item: Item, callerId = firstCallerOf(item)): void {
      remove(item);
      const line = callerId === undefined ? undefined : lines.get(callerId);
      if (callerId === undefined || !line) return;
      lines.delete(callerId);
      lines.set(callerId, { turn: turnCount++, groups: line.groups });
    },

    /** The first item, in turn, of a caller that may be served; null when there is none. */
    findFirst(mayServe: (callerId: string) => boolean): { item: Item; callerId: string } | null {
      for (const [callerId, { groups }] of linesInTurn())
        if (mayServe(callerId))
          for (const items of groups.values()) for (const item of items) return { item, callerId };
      return null;
    },

    /** The items of each group: the callers in turn, with all the items of a caller one after the other. */
    groups: (): Iterable<Item>[] => [...groupSizes.keys()].map(inTurn),

    /** A number by which queued items sort in the order of their turns; equal for items of the same caller. */
    turnOf: (item: Item): number => turnOfCaller(firstCallerOf(item) ?? ''),

    /** The number of items; an item of several callers counts once. */
    length: (): number => entries.size,

    /** The number of items that a caller waits for. */
    lengthOf(callerId: string): number {
      const sizes = [...(lines.get(callerId)?.groups.values() ?? [])].map(({ size }) => size);
      return sizes.reduce((sum, size) => sum + size, 0);
    },
  };
}
