import type { RedisConnection } from './connect-redis.ts';

/**
 * Values that all copies of a service share until they expire. Another copy, also of another version, may have written
 * a value: its reader checks it.
 */
export type SharedCache = {
  /** Null: missing, expired, or not answered within 50 ms. Never rejects. */
  get(key: string): Promise<Uint8Array | null>;
  /**
   * Stores a value for `ttlMs` (at least 1), without waiting for it. Does nothing when the value is too large, too many
   * are on their way, or Redis is away.
   */
  set(key: string, value: Uint8Array, ttlMs: number): void;
};

const maxValueBytes = 64 * 1024;
const maxOnTheirWay = 64;

export function createSharedCache({ run }: Pick<RedisConnection, 'run'>): SharedCache {
  let onTheirWay = 0;
  return {
    get: (key) => run(key, (client) => client.getBuffer(key).catch(refused)).catch(() => null),

    set(key, value, ttlMs) {
      if (value.byteLength > maxValueBytes || onTheirWay >= maxOnTheirWay) return;
      onTheirWay++;
      const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
      run(key, (client) => client.set(key, bytes, 'PX', Math.max(1, Math.floor(ttlMs))).catch(refused))
        .catch(() => {})
        .finally(() => onTheirWay--);
    },
  };
}

/** A Redis that refuses a command, such as one whose memory is full, is not away. */
function refused(error: unknown): null {
  if (error instanceof Error && error.name === 'ReplyError') return null;
  throw error;
}
