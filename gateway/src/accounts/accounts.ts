import { randomUUID } from 'node:crypto';
import { AppError, invalidParams } from '@shelfwise/runtime/errors';
import type { Logger } from '@shelfwise/runtime/log/logger';
import { isDuplicateKey } from '@shelfwise/runtime/mongo/database-errors';
import type { Connection } from 'mongoose';
import { z } from 'zod';
import type { Plans } from '../plans/plans.ts';
import { changesAreReadForMs, createAccountChanges } from './account-changes.ts';
import { type AccountDocument, createAccountModel } from './account-model.ts';
import { createApiKey, hashSecret, hasKeyFormat } from './api-key.ts';
import { createKeyCache, type KeyCache } from './key-cache.ts';
import { createKeyLookups } from './key-lookups.ts';

/** The account of an authenticated call. `keyVersion` grows with every new key, so that an older key is recognized. */
export type Account = { id: string; email: string; plan: string; keyVersion: number };

/**
 * An account in an operator's list. It shows only the start of the key, because the database stores a hash of the key.
 */
export type AccountRow = { id: string; email: string; plan: string; key_prefix: string; created_at: string };

/** An account with its new key, which cannot be read again later. */
export type AccountWithKey = { id: string; email: string; plan: string; key: string };

/** An account as it is stored now. `version` grows with every change of its key or plan. */
export type AccountState = Account & {
  version: number;
  keyPrefix: string;
  /** null: not known, for a key that an older version has replaced */
  keyMadeAt: Date | null;
  dashboard: DashboardUse;
};

/** How the people of an account use the dashboard. */
export type DashboardUse = {
  /** To the minute; null: never. */
  seenAt: Date | null;
  /** The end of the visit before the present one; null: there was none. */
  lastVisitEndedAt: Date | null;
  /** Whether letters are shortcuts. */
  hasShortcuts: boolean;
};

export type DeletedAccount = { id: string; email: string; deleted: true };

export type AccountSelector = { email: string } | { id: string };

export type Accounts = {
  /** Creates an account and its key. @throws DUPLICATE for a known email, INVALID_PARAMS for a wrong email or plan */
  create(account: { email: string; plan: string }): Promise<AccountWithKey>;
  /** Newest first; `page` from 1, `perPage` from 1 to 1000. */
  list(page: { page: number; perPage: number }): Promise<{ accounts: AccountRow[]; total: number }>;
  /**
   * Replaces the key; the old one is refused from now on.
   * @param selector with `version`: only if the account still has it; it has the next one then
   * @throws NOT_FOUND
   */
  regenerateKey(selector: AccountSelector & { version?: number }): Promise<AccountWithKey>;
  /** Takes effect with the next call; the key stays. @throws NOT_FOUND, INVALID_PARAMS */
  changePlan(change: AccountSelector & { plan: string }): Promise<Omit<AccountWithKey, 'key'>>;
  /**
   * Deletes an account: its key is refused and its email is free from now on. `DeletedAccounts` deletes its rows.
   * @throws NOT_FOUND
   */
  delete(selector: AccountSelector): Promise<DeletedAccount>;
  /**
   * The account that a key belongs to; null for an unknown key. A change of another process is seen after a second at
   * most, and not at all with `isOnlyWriter`.
   */
  findByKey(key: string): Promise<Account | null>;
  /** Reads an account from the database: a change of any process is seen at once. Null when there is none. */
  read(selector: AccountSelector): Promise<AccountState | null>;
  /** Notes that the dashboard is used now. A first use after an hour's absence starts a new visit. */
  noteVisit(account: Pick<AccountState, 'id' | 'dashboard'>): Promise<DashboardUse>;
  setHasShortcuts(accountId: string, hasShortcuts: boolean): Promise<void>;
  /** Whether this process has found the account of the key lately. Looks nothing up. */
  isKnownKey(key: string): boolean;
  /** Those of the accounts that exist, by id. */
  findAll(ids: readonly string[]): Promise<ReadonlyMap<string, Account>>;
  /**
   * Looks up what other secrets of accounts give, as cached as keys are: a change of an account is seen after a second at most.
   * @param find the values of these hashes; a hash without a value is absent
   */
  cacheLookups<Found extends { id: string }>(
    find: (hashes: string[]) => Promise<ReadonlyMap<string, Found>>,
  ): CachedLookup<Found>;
  /** Does work after which every process must forget what it has cached of the account, within a second. */
  changeSecrets<Result>(accountId: string, work: () => Promise<Result>): Promise<Result>;
};

/** `id` of what is found is that of the account. */
export type CachedLookup<Found extends { id: string }> = {
  find(hash: string): Promise<Found | null>;
  /** As `KeyCache.hasFound` */
  hasFound(hash: string): boolean;
};

/** A use of the dashboard is stored this often. */
const seenEveryMs = 60_000;
/** An absence that ends a visit. */
const absenceMs = 3_600_000;

/** The HTML5 pattern of browsers. Unlike zod's default it accepts hosts without a dot, such as admin@localhost. */
const emailSchema = z.email({ pattern: z.regexes.html5Email }).max(254);

/**
 * The accounts of one database. Create it once per process: it caches keys, and a change evicts them from its own cache
 * only. Run `prepareDatabase` before the first use, because unique indexes refuse duplicates.
 */
export function createAccounts(deps: {
  connection: Connection;
  plans: Plans;
  logger: Logger;
  now: () => Date;
  monotonicMs: () => number;
  /** whether this process makes every change of an account, so that no other has to be noticed */
  isOnlyWriter: boolean;
  /** called as soon as an account has a new key, and awaited before the change returns */
  onKeyReplaced?: (accountId: string, keyVersion: number) => Promise<void>;
  /** called after an account was deleted, to delete its rows */
  onDeleted?: () => void;
}): Accounts {
  const { plans, logger, now, onKeyReplaced, onDeleted } = deps;
  const model = createAccountModel(deps.connection);
  /** One for keys, and one for each other kind of secret by which an account is found. */
  const caches: Pick<KeyCache<never>, 'evict' | 'clear'>[] = [];
  const allCaches = {
    evict: (ids: readonly string[]) => {
      for (const cache of caches) cache.evict(ids);
    },
    clear: () => {
      for (const cache of caches) cache.clear();
    },
  };

  // Not the model: to build and cast its query took a twelfth of a call.
  const collection = deps.connection.collection<AccountDocument>(model.collection.name);
  const keys = cacheLookups(async (hashes) => {
    // Mongoose returns a promise of the cursor while it is not connected; its types do not say so.
    const cursor = await collection.find({ key_hash: { $in: hashes } });
    const stored = await cursor.toArray();
    return new Map(stored.map((account) => [account.key_hash ?? '', toAccount(account)]));
  });

  const changesOfOthers = deps.isOnlyWriter
    ? null
    : createAccountChanges({ findSince: findChanged, cache: allCaches, now, monotonicMs: deps.monotonicMs });

  function cacheLookups<Found extends { id: string }>(
    find: (hashes: string[]) => Promise<ReadonlyMap<string, Found>>,
  ): CachedLookup<Found> {
    const cache = createKeyCache<Found>({
      monotonicMs: deps.monotonicMs,
      maxAgeMs: deps.isOnlyWriter ? Number.POSITIVE_INFINITY : changesAreReadForMs,
    });
    caches.push(cache);
    const lookUp = createKeyLookups(find);
    return {
      async find(hash) {
        await changesOfOthers?.seen();
        return cache.get(hash, () => lookUp(hash));
      },
      hasFound: cache.hasFound,
    };
  }

  /** Index: changed_at. */
  async function findChanged(since: Date, limit: number): Promise<string[]> {
    const changed = await model
      .find({ changed_at: { $gt: since } })
      .select({ _id: 1 })
      .limit(limit)
      .lean<Pick<AccountDocument, '_id'>[]>();
    return changed.map(({ _id }) => _id);
  }

  function toAccount({ _id: id, email, plan, key_version: keyVersion }: AccountDocument): Account {
    if (!plans.has(plan))
      logger.warn(
        { account_id: id, plan },
        'account without API access: its plan does not exist; define the plan or change it with set-plan',
      );
    return { id, email, plan, keyVersion };
  }

  async function updateAccount(
    selector: AccountSelector & { version?: number },
    { $set, $inc, ...others }: { $set: Partial<AccountDocument>; $inc?: object; $unset?: object },
  ): Promise<AccountDocument> {
    const filter = { ...toFilter(selector), ...toVersionFilter(selector), deleted_at: null };
    const update = { ...others, $set: { ...$set, changed_at: now() }, $inc: { ...$inc, version: 1 } };
    try {
      const changed = await model
        .findOneAndUpdate(filter, update, { returnDocument: 'after' })
        .lean<AccountDocument>();
      if (!changed) throw noSuchAccount();
      allCaches.evict([changed._id]);
      return changed;
    } catch (error) {
      // A write that failed may have changed the account.
      allCaches.clear();
      throw error;
    }
  }

  return {
    async create({ email, plan }) {
      const key = createApiKey();
      const at = now();
      const account = { id: randomUUID(), email: normalizeEmail(email), plan: requireKnownPlan(plans, plan) };
      try {
        await model.create({
          _id: account.id,
          email: account.email,
          plan,
          key_hash: key.hash,
          key_prefix: key.prefix,
          key_version: 1,
          created_at: at,
          changed_at: at,
        });
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        throw new AppError('DUPLICATE', `An account with the email ${account.email} already exists.`, {
          cause: error,
        });
      }
      allCaches.evict([account.id]);
      return { ...account, key: key.text };
    },

    async list({ page, perPage }) {
      const [documents, total] = await Promise.all([
        model
          .find({ deleted_at: null })
          .sort({ created_at: -1, _id: 1 })
          .skip((page - 1) * perPage)
          .limit(perPage)
          .lean<AccountDocument[]>(),
        model.countDocuments({ deleted_at: null }),
      ]);
      return { accounts: documents.map(toRow), total };
    },

    async regenerateKey(selector) {
      const key = createApiKey();
      const account = await updateAccount(selector, {
        $set: { key_hash: key.hash, key_prefix: key.prefix, key_made_at: now() },
        $inc: { key_version: 1 },
      });
      await onKeyReplaced?.(account._id, account.key_version);
      return { id: account._id, email: account.email, plan: account.plan, key: key.text };
    },

    async changePlan({ plan: newPlan, ...selector }) {
      const update = { $set: { plan: requireKnownPlan(plans, newPlan) } };
      const { _id, email, plan } = await updateAccount(selector, update);
      return { id: _id, email, plan };
    },

    async delete(selector) {
      const found = await model.findOne({ ...toFilter(selector), deleted_at: null }).lean<AccountDocument>();
      if (!found) throw noSuchAccount();
      const { _id: id, email } = found;
      const { key_version: keyVersion } = await updateAccount(
        { id },
        {
          $set: { email: `deleted:${id}`, deleted_at: now() },
          $unset: { key_hash: '', key_prefix: '', key_made_at: '', dashboard: '' },
          $inc: { key_version: 1 },
        },
      );
      await onKeyReplaced?.(id, keyVersion);
      onDeleted?.();
      return { id, email, deleted: true };
    },

    async findByKey(key) {
      if (!hasKeyFormat(key)) return null;
      return keys.find(hashSecret(key));
    },

    async read(selector) {
      const found = await model.findOne({ ...toFilter(selector), deleted_at: null }).lean<AccountDocument>();
      if (!found) return null;
      return {
        ...toAccount(found),
        version: found.version ?? 0,
        keyPrefix: found.key_prefix,
        keyMadeAt: found.key_made_at ?? (found.key_version === 1 ? found.created_at : null),
        dashboard: toDashboardUse(found),
      };
    },

    async noteVisit({ id, dashboard }) {
      const { seenAt, lastVisitEndedAt } = dashboard;
      const at = now();
      const awayMs = seenAt === null ? Number.POSITIVE_INFINITY : at.getTime() - seenAt.getTime();
      if (awayMs < seenEveryMs) return dashboard;
      const endedAt = seenAt !== null && awayMs >= absenceMs ? seenAt : lastVisitEndedAt;
      // Only one of several calls moves it: the others have read the same visit.
      const filter = { _id: id, deleted_at: null, 'dashboard.seen_at': seenAt };
      await model.updateOne(filter, {
        $set: { 'dashboard.seen_at': at, 'dashboard.visit_ended_at': endedAt ?? undefined },
      });
      return { ...dashboard, seenAt: at, lastVisitEndedAt: endedAt };
    },

    async setHasShortcuts(accountId, hasShortcuts) {
      await model.updateOne(
        { _id: accountId, deleted_at: null },
        { $set: { 'dashboard.shortcuts_off': !hasShortcuts } },
      );
    },

    isKnownKey: (key) => hasKeyFormat(key) && keys.hasFound(hashSecret(key)),

    async findAll(ids) {
      const found = await model.find({ _id: { $in: ids }, deleted_at: null }).lean<AccountDocument[]>();
      return new Map(found.map((account) => [account._id, toAccount(account)]));
    },

    cacheLookups,

    async changeSecrets(accountId, work) {
      // Noted first: a process that dies during the work has noted it, and it is read for minutes.
      await model.updateOne({ _id: accountId }, { $set: { changed_at: now() } });
      try {
        return await work();
      } finally {
        allCaches.evict([accountId]);
      }
    },
  };
}

function toDashboardUse({ dashboard = {} }: AccountDocument): DashboardUse {
  return {
    seenAt: dashboard.seen_at ?? null,
    lastVisitEndedAt: dashboard.visit_ended_at ?? null,
    hasShortcuts: dashboard.shortcuts_off !== true,
  };
}

function noSuchAccount(): AppError {
  return new AppError('NOT_FOUND', 'No account has this email or id.');
}

function toFilter(selector: AccountSelector): { _id: string } | { email: string } {
  return 'id' in selector ? { _id: selector.id } : { email: normalizeEmail(selector.email) };
}

/** An account that has never changed has no version. */
function toVersionFilter({ version }: { version?: number }) {
  if (version === undefined) return {};
  return version === 0 ? { version: null } : { version };
}

/** Lower case, so that one mailbox has one account. */
function normalizeEmail(email: string): string {
  const parsed = emailSchema.safeParse(email.trim().toLowerCase());
  if (!parsed.success) throw invalidParams({ email: 'must be an email address' });
  return parsed.data;
}

function requireKnownPlan(plans: Plans, plan: string): string {
  if (!plans.has(plan)) throw invalidParams({ plan: `must be one of ${[...plans.keys()].join(', ')}` });
  return plan;
}

function toRow(account: AccountDocument): AccountRow {
  return {
    id: account._id,
    email: account.email,
    plan: account.plan,
    key_prefix: account.key_prefix,
    created_at: account.created_at.toISOString(),
  };
}
