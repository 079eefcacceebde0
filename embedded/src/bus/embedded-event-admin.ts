import {
  type DeadLetterRow,
  type EventAdmin,
  formatCursor,
  parseCursor,
  toDeadLetterRow,
} from '@shelfwise/runtime/events/event-admin';
import type { EventConsumer } from './event-consumer.ts';
import type { EventLog, StoredDeadLetter } from './event-log.ts';

const lettersPerReplay = 100;

/**
 * What operators see and change of the events of the embedded bus.
 * @param consumers those of this process; none when a command opens the log of a system that does not run
 */
export function createEmbeddedEventAdmin(log: EventLog, consumers: readonly EventConsumer[]): EventAdmin {
  return {
    async listDeadLetters({ group, limit, after }) {
      const selection = { group, ids: null, after: after === null ? null : parseCursor(after) };
      // One more tells whether another page follows.
      const letters = await log.findDeadLetters(selection, limit + 1);
      const page = letters.slice(0, limit);
      const last = page.at(-1);
      const next =
        last && letters.length > limit ? formatCursor({ ...last, failedAt: last.failed_at }) : null;
      return { rows: page.map(toRow), total: await log.countDeadLetters(group), next };
    },
    async replayDeadLetters(selection) {
      const done = new Set<string>();
      for (let replayed = 0; ; ) {
        const letters = await log.findDeadLetters({ ...selection, after: null }, lettersPerReplay);
        // One that fails again meanwhile is not replayed again.
        const fresh = letters.filter(({ _id }) => !done.has(_id));
        if (fresh.length === 0) return replayed;
        await log.replay(fresh);
        for (const consumer of consumers) consumer.wake();
        for (const { _id } of fresh) done.add(_id);
        replayed += fresh.length;
      }
    },
    discardDeadLetters: (selection) => log.discardDeadLetters(selection),
    async readLag() {
      await Promise.all(consumers.map((consumer) => consumer.commit()));
      return (await log.readLag()).map((row) => ({ ...row, members: null }));
    },
  };
}

function toRow({ failed_at: failedAt, ...letter }: StoredDeadLetter): DeadLetterRow {
  return toDeadLetterRow({ ...letter, failedAt });
}
