import { randomUUID } from 'node:crypto';
import type { AccountRowsServiceService } from '@shelfwise/proto/account/v1/account_rows';
import type { Sleep } from '@shelfwise/runtime/concurrency/sleep';
import type { GrpcClient } from '@shelfwise/runtime/grpc/grpc-types';
import { createWakeSignal } from '@shelfwise/runtime/jobs/wake-signal';
import type { Logger } from '@shelfwise/runtime/log/logger';
import type { Connection } from 'mongoose';
import { type AccountDocument, createAccountModel } from './account-model.ts';

type DeletedDocument = Required<Pick<AccountDocument, '_id' | 'deleted_at'>>;

/**
 * Calls that began before the deletion may write rows for 300 s, and their events may arrive later still. The rows are
 * deleted a last time after this.
 */
const settledAfterMs = 10 * 60_000;
const checkEveryMs = 60_000;
/** While a service still publishes events of removed rows. */
const retryIncompleteAfterMs = 2000;
const callTimeoutMs = 30_000;
/** Only their ids and times are read. */
const accountsPerCheck = 10_000;

/**
 * Deletes the rows of deleted accounts in every service, and then the account documents. The documents are the durable list
 * of what is left to do: interrupted work continues within a minute, or after the next start. Any number of gateways may do
 * this at the same time. In the same rounds, expired rows of the gateway are deleted.
 */
export function createDeletedAccounts(deps: {
  connection: Connection;
  /** What the gateway itself keeps of an account. */
  owned: readonly { deleteAccount(accountId: string): Promise<void> }[];
  /** What the gateway keeps that expires. */
  expiring: readonly { sweep(signal: AbortSignal): Promise<void> }[];
  /** The services that have rows of accounts, by name; called in this order. */
  services: Readonly<Record<string, GrpcClient<typeof AccountRowsServiceService>>>;
  logger: Logger;
  now: () => Date;
  sleep: Sleep;
}) {
  const { connection, owned, expiring, services, logger, now, sleep } = deps;
  const model = createAccountModel(connection);
  const stopping = new AbortController();
  const { signal } = stopping;
  const wakeSignal = createWakeSignal();
  let running = Promise.resolve();
  /** Accounts without rows that are not settled yet: nothing to do until then. */
  const cleared = new Set<string>();

  /** Returns whether no service has rows of the account. */
  async function deleteRows(accountId: string): Promise<boolean> {
    let isComplete = true;
    for (const client of Object.values(services)) {
      const deadline = new Date(Date.now() + callTimeoutMs);
      const call = { requestId: `delete-account-${randomUUID()}`, deadline, signal };
      const reply = await client.deleteAccountRows({ account_id: accountId }, call);
      isComplete &&= reply.is_complete;
    }
    for (const rows of owned) await rows.deleteAccount(accountId);
    return isComplete;
  }

  /** Returns whether nothing is left to do but to wait until the account is settled. */
  async function deleteAccount({ _id, deleted_at: deletedAt }: DeletedDocument): Promise<boolean> {
    const isSettled = now().getTime() - deletedAt.getTime() >= settledAfterMs;
    if (cleared.has(_id) && !isSettled) return true;
    if (!(await deleteRows(_id))) return false;
    if (isSettled) {
      await model.deleteOne({ _id, deleted_at: deletedAt });
      logger.info({ account_id: _id }, 'all rows of a deleted account are deleted');
    } else cleared.add(_id);
    return true;
  }

  /** Returns after how many ms to continue. Index: deleted_at. */
  async function deleteAll(): Promise<number> {
    const accounts = await model
      .find({ deleted_at: { $gt: new Date(0) } })
      .sort({ deleted_at: 1 })
      .limit(accountsPerCheck)
      .select({ deleted_at: 1 })
      .lean<DeletedDocument[]>();
    const left = new Set(accounts.map(({ _id }) => _id));
    // Their documents are gone, perhaps by another gateway.
    for (const id of cleared) if (!left.has(id)) cleared.delete(id);
    let isComplete = true;
    for (const account of accounts) {
      if (signal.aborted) break;
      if (!(await deleteAccount(account))) isComplete = false;
    }
    return isComplete ? checkEveryMs : retryIncompleteAfterMs;
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      let waitMs = checkEveryMs;
      try {
        for (const rows of expiring) await rows.sweep(signal);
        waitMs = await deleteAll();
      } catch (error) {
        if (!signal.aborted)
          logger.warn({ err: error }, 'rows of a deleted account could not be deleted; retrying in a minute');
      }
      await wakeSignal.raisedWithin(waitMs, sleep);
    }
  }

  return {
    start(): void {
      running = run();
    },
    /** Deletes now what is left of deleted accounts. */
    wake: wakeSignal.raise,
    async stop(): Promise<void> {
      stopping.abort();
      wakeSignal.raise();
      await running;
    },
  };
}
