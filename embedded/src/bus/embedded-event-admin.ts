import type { DeadLetterRow, EventAdmin } from '@shelfwise/runtime/events/event-admin';
import type { EventLog, StoredDeadLetter } from './event-log.ts';

const lettersPerReplay = 100;

/**
 * What operators see and change of the events of the embedded bus.
 * @param wakeConsumers called after events were published again
 */
export function createEmbeddedEventAdmin(log: EventLog, wakeConsumers: () => void): EventAdmin {
  return {
    async listDeadLetters(group, limit) {
      const { letters, total } = await log.findDeadLetters({ group, ids: null }, limit);
      return { rows: letters.map(toRow), total };
    },
    async replayDeadLetters(selection) {
      const done = new Set<string>();
      for (let replayed = 0; ; ) {
        const { letters } = await log.findDeadLetters(selection, lettersPerReplay);
        // One that fails again meanwhile is not replayed again.
        const fresh = letters.filter(({ _id }) => !done.has(_id));
        if (fresh.length === 0) return replayed;
        await log.replay(fresh);
        wakeConsumers();
        for (const { _id } of fresh) done.add(_id);
        replayed += fresh.length;
      }
    },
    async readLag() {
      return (await log.readLag()).map((row) => ({ ...row, members: null }));
    },
  };
}

function toRow({
  group,
  id,
  topic,
  key,
  error,
  attempts,
  failed_at: failedAt,
}: StoredDeadLetter): DeadLetterRow {
  const [firstLine = ''] = error.split('\n');
  return { group, id, topic, key, error: firstLine, attempts, failed_at: failedAt.toISOString() };
}
