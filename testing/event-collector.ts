import type { EventRecord } from '@shelfwise/runtime/events/event-bus';

export function createEvent(id: string, key = 'k', topic = 'things.made.v1'): EventRecord {
  return { id, topic, key, payload: Uint8Array.from([1, 0, 255]), at: new Date(5) };
}

/** Collects delivered events. `waitFor(n)` resolves with the records once there are at least n. */
export function createCollector() {
  const records: EventRecord[] = [];
  let checks: (() => void)[] = [];
  return {
    records,
    add: (record: EventRecord) => {
      records.push(record);
      for (const check of checks) check();
    },
    waitFor: (count: number) =>
      new Promise<EventRecord[]>((resolve) => {
        const check = () => {
          if (records.length < count) return;
          checks = checks.filter((other) => other !== check);
          resolve(records);
        };
        checks.push(check);
        check();
      }),
  };
}
