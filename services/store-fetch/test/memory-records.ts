import type { SharedRecords } from '@shelfwise/runtime/redis/shared-records';

/** Shared records in memory. `before` and `after` run around each command, and decide how long it is under way. */
export function createMemoryRecords(clock: { now(): Date }) {
  const state = {
    isAway: false,
    fields: new Map<string, string>(),
    before: async () => {},
    after: async () => {},
  };

  async function run<Answer>(command: () => Answer): Promise<Answer & { nowMs: number }> {
    await state.before();
    if (state.isAway) throw new Error('away');
    const answer = { ...command(), nowMs: clock.now().getTime() };
    await state.after();
    if (state.isAway) throw new Error('away');
    return answer;
  }

  const records: SharedRecords = {
    readFields: () => run(() => ({ fields: new Map(state.fields) })),
    replaceField: (_record, field, { expected, value }) =>
      run(() => {
        const current = state.fields.get(field) ?? null;
        if (current !== expected) return { isReplaced: false, current };
        state.fields.set(field, value);
        return { isReplaced: true, current: value };
      }),
  };
  return { records, state };
}
