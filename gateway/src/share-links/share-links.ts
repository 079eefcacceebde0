import { dayMs } from '@shelfwise/runtime/day';
import { AppError } from '@shelfwise/runtime/errors';
import { createCounterStore } from '@shelfwise/runtime/mongo/counter-store';
import { isDuplicateKey } from '@shelfwise/runtime/mongo/database-errors';
import { deleteAll } from '@shelfwise/runtime/mongo/delete-batch';
import type { Connection } from 'mongoose';
import type { AccountState, Accounts } from '../accounts/accounts.ts';
import { createSecret, hashSecret } from '../accounts/api-key.ts';
import { createKeyLookups } from '../accounts/key-lookups.ts';
import { mapDatabaseError } from '../http/gateway-errors.ts';
import { findPlan, type Plan, type Plans } from '../plans/plans.ts';
import { createShareLinkModel, type ShareLinkDocument } from './share-link-model.ts';

/** A link as its owner sees it: the address is shown once. */
export type ShareLink = { id: number; label: string; created_at: string; expires_at: string };

/** Whose app a link shows, and until when. */
export type SharedApp = { account: AccountState; plan: Plan; appId: number; expiresAt: Date };

export type ShareLinks = ReturnType<typeof createShareLinks>;

type OfApp = { accountId: string; appId: number };

export const maxShareLinks = 20;
const format = /^sw_share_[0-9A-Za-z]{43}$/;

/** A plan without API access has no links, and those that were made with another one show nothing. */
const includesLinks = ({ api_access: hasAccess }: Plan) => hasAccess;

/**
 * The links of all accounts. Nothing is cached: one that ends is refused by every gateway at once.
 * @param deps.publicUrl where people reach the pages, without a slash at its end; null: there are no pages
 */
export function createShareLinks(deps: {
  connection: Connection;
  accounts: Pick<Accounts, 'read'>;
  plans: Plans;
  publicUrl: () => string | null;
  now: () => Date;
}) {
  const { connection, accounts, plans, publicUrl, now } = deps;
  const model = createShareLinkModel(connection);
  const counters = createCounterStore<'share_link'>(connection);
  const lookUp = createKeyLookups(async (hashes) => {
    const found = await model.find({ _id: { $in: hashes } }).lean<ShareLinkDocument[]>();
    return new Map(found.map((document) => [document._id, document]));
  });

  /** @throws PLAN_LIMIT when all are taken. Index: account_id, slot */
  async function findFreeSlot(accountId: string): Promise<number> {
    const rows = await model
      .find({ account_id: accountId })
      .select({ slot: 1 })
      .lean<Pick<ShareLinkDocument, 'slot'>[]>();
    const taken = new Set(rows.map(({ slot }) => slot));
    const free = Array.from({ length: maxShareLinks }, (_, slot) => slot).find((slot) => !taken.has(slot));
    if (free === undefined) throw new AppError('PLAN_LIMIT', tooManyLinks);
    return free;
  }

  /** Another call may take the slot first; then the next free one is tried. */
  async function insert(document: Omit<ShareLinkDocument, 'slot'>): Promise<void> {
    for (;;) {
      const slot = await findFreeSlot(document.account_id);
      try {
        await model.create({ ...document, slot });
        return;
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
    }
  }

  async function create(
    { accountId, appId }: OfApp,
    { plan, days, label }: { plan: Plan; days: number; label: string },
  ): Promise<ShareLink & { address: string }> {
    const origin = publicUrl();
    if (origin === null) throw new AppError('NOT_FOUND', noPages);
    if (!includesLinks(plan)) throw new AppError('PLAN_LIMIT', notInPlan);
    const { text, hash } = createSecret('sw_share_');
    const at = now();
    await model.deleteMany({ account_id: accountId, expires_at: { $lte: at } });
    const document = {
      _id: hash,
      number: await counters.take('share_link', 1),
      account_id: accountId,
      app_id: appId,
      label,
      created_at: at,
      expires_at: new Date(at.getTime() + days * dayMs),
    };
    await insert(document);
    return { ...toLink(document), address: `${origin}/dashboard/shared/${text}` };
  }

  async function list({ accountId, appId }: OfApp): Promise<ShareLink[]> {
    const found = await model
      .find({ account_id: accountId, app_id: appId, expires_at: { $gt: now() } })
      .sort({ number: -1 })
      .lean<ShareLinkDocument[]>();
    return found.map(toLink);
  }

  async function find(secret: string): Promise<SharedApp | null> {
    const found = format.test(secret) ? await lookUp(hashSecret(secret)) : null;
    if (!found || found.expires_at <= now()) return null;
    const account = await accounts.read({ id: found.account_id });
    if (!account) return null;
    const plan = findPlan(plans, account.plan);
    return includesLinks(plan) ? { account, plan, appId: found.app_id, expiresAt: found.expires_at } : null;
  }

  const remove = async (filter: Partial<ShareLinkDocument>) => (await model.deleteMany(filter)).deletedCount;

  return {
    /** Makes a link. @throws PLAN_LIMIT; NOT_FOUND without pages */
    create: (...of: Parameters<typeof create>) => mapDatabaseError(create(...of)),
    /** Those of the app that are valid now, newest first. Index: account_id, slot */
    list: (app: OfApp) => mapDatabaseError(list(app)),
    /** What the link with this secret shows; null when there is none, or it has ended. */
    find: (secret: string) => mapDatabaseError(find(secret)),
    /** Ends one link of the app. False when it has none with this id. */
    end: async ({ accountId, appId }: OfApp, id: number) =>
      (await mapDatabaseError(remove({ account_id: accountId, app_id: appId, number: id }))) > 0,
    /** Ends all links of an app. */
    endAll: ({ accountId, appId }: OfApp) =>
      mapDatabaseError(remove({ account_id: accountId, app_id: appId })),

    async deleteAccount(accountId: string): Promise<void> {
      await remove({ account_id: accountId });
    },

    /** Deletes the links that have expired. Index: expires_at. */
    async sweep(signal: AbortSignal): Promise<void> {
      await deleteAll(model, { expires_at: { $lte: now() } }, signal);
    },
  };
}

export const noPages = 'This Shelfwise has no pages, so a link could show nothing: its dashboard is off.';
const notInPlan = 'Your plan has no links that show an app.';
export const tooManyLinks = `An account has at most ${maxShareLinks} links. End one first.`;

function toLink({
  number: id,
  label,
  created_at: createdAt,
  expires_at: expiresAt,
}: Omit<ShareLinkDocument, 'slot'>): ShareLink {
  return { id, label, created_at: createdAt.toISOString(), expires_at: expiresAt.toISOString() };
}
