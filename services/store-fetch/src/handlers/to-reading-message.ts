import type { Reading as ReadingMessage } from '@shelfwise/proto/store/v1/store';
import type { Reading } from '../source.ts';

export function toReadingMessage({ readAt, source }: Reading): ReadingMessage {
  return { read_at: readAt, source };
}
