import { tryCreate } from '@shelfwise/runtime/mongo/try-create';
import type { Model } from 'mongoose';

/**
 * Creates a row of an account in the first free one of its slots, 1 to `most`. A unique index of account_id and slot, which the query uses,
 * keeps the bound however many calls create a row: one that loses its slot to another takes the next. False when none is free.
 * @param model any mongoose model. Its own type is invariant and would fit only one kind of document
 */
export async function createInSlot(
  model: { modelName: string },
  accountId: string,
  most: number,
  create: (slot: number) => Promise<unknown>,
): Promise<boolean> {
  const slots = model as unknown as Model<{ account_id: string; slot: number }>;
  for (;;) {
    const rows = await slots.find({ account_id: accountId }).select({ slot: 1 }).lean<{ slot: number }[]>();
    const used = new Set(rows.map(({ slot }) => slot));
    const free = Array.from({ length: most }, (_, index) => index + 1).find((slot) => !used.has(slot));
    if (free === undefined) return false;
    if (await tryCreate(() => create(free))) return true;
  }
}
