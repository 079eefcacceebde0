import type { EventsResult } from '@shelfwise/runtime/events/event-admin';
import { nounFor } from '@shelfwise/runtime/noun-for';
import { formatTable } from './format-table.ts';

export function formatEventsResult(result: EventsResult): string {
  if ('replayed' in result)
    return `Published ${result.replayed} dead ${nounFor(result.replayed, 'letter')} again.`;
  if ('discarded' in result)
    return `Discarded ${result.discarded} dead ${nounFor(result.discarded, 'letter')}.`;
  if ('lag' in result) {
    const rows = result.lag.map(({ group, topic, lag, members }) => [
      group,
      topic,
      lag.toLocaleString('en-US'),
      members === null ? '-' : String(members),
    ]);
    return rows.length === 0
      ? 'No group has consumed events yet.'
      : formatTable(['group', 'topic', 'lag', 'members'], rows);
  }
  const { dead_letters: letters, total, next } = result;
  if (total === 0) return 'There are no dead letters.';
  const rows = letters.map(({ group, id, topic, key, attempts, failed_at: failedAt, error }) => [
    failedAt,
    group,
    topic,
    key,
    id,
    String(attempts),
    error,
  ]);
  const head = ['failed at', 'group', 'topic', 'key', 'id', 'attempts', 'error'];
  const more = next === null ? '' : `; the next page: --after ${next}`;
  const shown = `\n${letters.length} of ${total.toLocaleString('en-US')}${more}`;
  return formatTable(head, rows) + (letters.length < total ? shown : '');
}
