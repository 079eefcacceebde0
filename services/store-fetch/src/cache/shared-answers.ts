import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import { utcDay } from '@shelfwise/runtime/day';
import type { SharedCache } from '@shelfwise/runtime/redis/shared-cache';
import { z } from 'zod';
import { dateSchema } from './answer-schemas.ts';

export type SharedSection<Answer> = {
  /** Undefined when no readable answer is shared. Never rejects. */
  find(key: string): Promise<{ answer: Answer; expiresAt: Date } | undefined>;
  /** Shares the answer, without waiting for it. */
  save(key: string, answer: Answer, expiresAt: Date): void;
};

export type SharedAnswers = ReturnType<typeof createSharedAnswers>;

/** To be raised when an answer of the same shape gets another meaning: other versions then do not read it. */
const format = 1;
/**
 * An answer has one slot, by its key, and replaces the one that was there. So the shared answers stay bounded without
 * an index: to about 230 MiB of pages with 100 rows (7 KiB).
 */
const slotCount = 32_768;
/** Decompressed; no page of a store is larger. */
const maxJsonBytes = 2 * 1024 * 1024;

const envelopeSchema = z.strictObject({
  key: z.string(),
  storedAt: dateSchema,
  expiresAt: dateSchema,
  answer: z.unknown(),
});

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

/**
 * Answers that all copies of the service share, as compressed JSON. Another version of the service may have stored
 * them, so each is checked against its schema: one that cannot be read is missing.
 */
export function createSharedAnswers({
  cache,
  scope,
  now,
}: {
  cache: SharedCache;
  /** Copies with another scope share nothing. */
  scope: string;
  now: () => Date;
}) {
  const slotOf = (digest: Buffer) =>
    `store-fetch:answers:${format}:${scope}:${digest.readUInt32BE(0) % slotCount}`;

  return {
    section<Answer>(kind: string, schema: z.ZodType<Answer>): SharedSection<Answer> {
      const digestOf = (key: string) => createHash('sha256').update(`${kind} ${key}`).digest();

      async function find(key: string) {
        const digest = digestOf(key);
        const packed = await cache.get(slotOf(digest));
        const stored = packed && envelopeSchema.safeParse(await unpack(packed)).data;
        if (!stored || stored.key !== digest.toString('base64url')) return undefined;
        const { storedAt, expiresAt } = stored;
        if (!isCurrent(stored, now())) return undefined;
        const answer = schema.safeParse(stored.answer).data;
        return answer === undefined || storedAt > expiresAt ? undefined : { answer, expiresAt };
      }

      async function save(key: string, answer: Answer, expiresAt: Date) {
        const storedAt = now();
        const ttlMs = expiresAt.getTime() - storedAt.getTime();
        if (ttlMs <= 0) return;
        const digest = digestOf(key);
        const envelope = { key: digest.toString('base64url'), storedAt, expiresAt, answer };
        cache.set(slotOf(digest), await deflate(JSON.stringify(envelope), { level: 1 }), ttlMs);
      }

      return {
        find: (key) => find(key).catch(() => undefined),
        save: (key, answer, expiresAt) => void save(key, answer, expiresAt).catch(() => {}),
      };
    },
  };
}

/**
 * By this copy's clock, which may differ from that of the storing copy. An answer of a day that has not begun here
 * would be taken for today's.
 */
function isCurrent({ storedAt, expiresAt }: { storedAt: Date; expiresAt: Date }, now: Date): boolean {
  return expiresAt > now && utcDay(storedAt) <= utcDay(now);
}

async function unpack(packed: Uint8Array): Promise<unknown> {
  return JSON.parse((await inflate(packed, { maxOutputLength: maxJsonBytes })).toString('utf8'));
}
