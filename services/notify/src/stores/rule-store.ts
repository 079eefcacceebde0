import type { AlertKind } from '@shelfwise/facts/alerts/alert-kinds';
import { groupBy } from '@shelfwise/runtime/group-by';
import type { CounterStore } from '@shelfwise/runtime/mongo/counter-store';
import { deleteAll } from '@shelfwise/runtime/mongo/delete-batch';
import { insertNew } from '@shelfwise/runtime/mongo/insert-new';
import { type Connection, Schema } from 'mongoose';
import type { Rule } from '../domain/rule.ts';

type RuleDocument = Omit<Rule, 'id' | 'keywords'> & {
  _id: number;
  /** Absent: none. */
  channels?: readonly number[];
  /** `default:<kind>`, or `own:<id>`: an account has each default rule once. */
  origin: string;
  which_keywords: 'all' | 'favorites' | 'some';
  /** empty unless `which_keywords` is `some` */
  keyword_ids: number[];
  is_enabled: boolean;
  created_at: Date;
  /** Absent in rows of before there was this field: since `created_at`. */
  enabled_at?: Date;
  /** Of keyword_unread: the applications whose unread keywords were published. Absent: none. */
  unread_app_ids?: number[];
};

/** A rule as its account sees it. */
export type StoredRule = Rule & {
  /** Where its alerts are sent, in addition to the feed. */
  channels: readonly number[];
  is_enabled: boolean;
  created_at: Date;
  /** When it was made, or last turned on. */
  enabled_at: Date;
};

export type NewRule = Omit<StoredRule, 'id' | 'created_at' | 'enabled_at'>;
export type RuleChange = Partial<
  Pick<StoredRule, 'app_id' | 'threshold' | 'keywords' | 'channels' | 'is_enabled' | 'enabled_at'>
>;

const schema = new Schema<RuleDocument>(
  {
    _id: { type: Number, required: true },
    account_id: { type: String, required: true },
    origin: { type: String, required: true },
    kind: { type: String, required: true },
    app_id: { type: Number, default: null },
    threshold: { type: Number, default: null },
    which_keywords: { type: String, required: true },
    keyword_ids: { type: [Number], required: true },
    channels: { type: [Number], default: undefined },
    is_enabled: { type: Boolean, required: true },
    created_at: { type: Date, required: true },
    enabled_at: { type: Date, default: undefined },
    unread_app_ids: { type: [Number], default: undefined },
  },
  { versionKey: false },
)
  .index({ account_id: 1, origin: 1 }, { unique: true })
  .index({ account_id: 1, _id: 1 })
  // For kinds that are looked for once a day.
  .index({ kind: 1, is_enabled: 1, _id: 1 });

/** Of one query. */
const rulesPerPage = 100;

export type RuleStore = ReturnType<typeof createRuleStore>;

export function createRuleStore(connection: Connection, counters: CounterStore<'rule'>) {
  const rules = connection.model('AlertRule', schema, 'alert_rules');
  const ofAccount = (accountId: string) => ({ account_id: accountId });
  /** Index: account_id, _id. */
  const count = (accountId: string) => rules.countDocuments(ofAccount(accountId));

  return {
    count,

    /** Oldest first. Index: account_id, _id. */
    async list(accountId: string, { skip, limit }: { skip: number; limit: number }): Promise<StoredRule[]> {
      const rows = await rules
        .find(ofAccount(accountId))
        .sort({ account_id: 1, _id: 1 })
        .skip(skip)
        .limit(limit)
        .lean<RuleDocument[]>();
      return rows.map(toRule);
    },

    /** Index: _id. */
    async find(accountId: string, id: number): Promise<StoredRule | null> {
      const row = await rules.findOne({ _id: id, account_id: accountId }).lean<RuleDocument>();
      return row && toRule(row);
    },

    /**
     * The enabled rules of these kinds by account, oldest first; an account has `maxAlertRules` at most. Index: account_id, _id.
     */
    async findEnabled(
      accountIds: readonly string[],
      kinds: readonly AlertKind[],
    ): Promise<Map<string, StoredRule[]>> {
      if (accountIds.length === 0) return new Map();
      const rows = await rules
        .find({ account_id: { $in: accountIds }, is_enabled: true, kind: { $in: kinds } })
        .sort({ account_id: 1, _id: 1 })
        .lean<RuleDocument[]>();
      return groupBy(rows.map(toRule), (rule) => rule.account_id);
    },

    /** The enabled rules of a kind, of all accounts, in batches, each with its `unread_app_ids`. Index: kind, is_enabled, _id. */
    async *listOfKind(kind: AlertKind): AsyncGenerator<{ rule: Rule; unreadAppIds: readonly number[] }[]> {
      for (let after = 0, isLast = false; !isLast; ) {
        const rows: RuleDocument[] = await rules
          .find({ kind, is_enabled: true, _id: { $gt: after } })
          .sort({ kind: 1, is_enabled: 1, _id: 1 })
          .limit(rulesPerPage)
          .lean<RuleDocument[]>();
        if (rows.length > 0)
          yield rows.map((row) => ({ rule: toRule(row), unreadAppIds: row.unread_app_ids ?? [] }));
        isLast = rows.length < rulesPerPage;
        after = rows.at(-1)?._id ?? after;
      }
    },

    /** Index: _id. */
    async saveUnreadApps(id: number, appIds: readonly number[]): Promise<void> {
      await rules.updateOne({ _id: id }, { $set: { unread_app_ids: [...appIds] } });
    },

    async create(rule: NewRule, at: Date): Promise<StoredRule> {
      const id = await counters.take('rule', 1);
      const created = { ...rule, id, created_at: at, enabled_at: at };
      await rules.create(toDocument(created, `own:${id}`));
      return created;
    },

    /** Those that the account has already stay as they are. Index: account_id, origin. */
    async createDefaults(fresh: readonly NewRule[], at: Date): Promise<void> {
      const first = await counters.take('rule', fresh.length);
      await insertNew(
        rules.collection,
        fresh.map((rule, index) =>
          toDocument({ ...rule, id: first + index, created_at: at, enabled_at: at }, `default:${rule.kind}`),
        ),
      );
    },

    /** The rule after the change; null when the account has no such rule. Index: _id. */
    async update(accountId: string, id: number, change: RuleChange): Promise<StoredRule | null> {
      const { keywords, ...others } = change;
      const fields = keywords === undefined ? others : { ...others, ...toKeywordFields(keywords) };
      const row = await rules
        .findOneAndUpdate({ _id: id, account_id: accountId }, { $set: fields }, { returnDocument: 'after' })
        .lean<RuleDocument>();
      return row && toRule(row);
    },

    /** The channels of rules, by id; a rule without any is left out. Index: _id. */
    async findChannels(ids: readonly number[]): Promise<Map<number, readonly number[]>> {
      if (ids.length === 0) return new Map();
      const rows = await rules
        .find({ _id: { $in: ids } })
        .select({ channels: 1 })
        .lean<Pick<RuleDocument, '_id' | 'channels'>[]>();
      return new Map(rows.flatMap(({ _id, channels }) => (channels?.length ? [[_id, channels]] : [])));
    },

    /** No rule of the account sends to the channel any more. A write for each rule that did. Index: account_id, _id. */
    async dropChannel(accountId: string, channelId: number): Promise<void> {
      const rows = await rules
        .find({ account_id: accountId, channels: channelId })
        .select({ channels: 1 })
        .lean<Pick<RuleDocument, '_id' | 'channels'>[]>();
      for (const { _id, channels = [] } of rows)
        await rules.updateOne({ _id }, { $set: { channels: channels.filter((id) => id !== channelId) } });
    },

    /** Whether there was one. Index: _id. */
    async remove(accountId: string, id: number): Promise<boolean> {
      const { deletedCount } = await rules.deleteOne({ _id: id, account_id: accountId });
      return deletedCount === 1;
    },

    /** Deletes the rules of an account until the signal fires. Index: account_id, _id. */
    deleteAccount: (accountId: string, signal: AbortSignal) => deleteAll(rules, ofAccount(accountId), signal),
  };
}

function toKeywordFields(keywords: Rule['keywords']): Pick<RuleDocument, 'which_keywords' | 'keyword_ids'> {
  return typeof keywords === 'string'
    ? { which_keywords: keywords, keyword_ids: [] }
    : { which_keywords: 'some', keyword_ids: [...keywords] };
}

function toDocument({ id, keywords, ...rule }: StoredRule, origin: string): RuleDocument {
  return { _id: id, ...rule, ...toKeywordFields(keywords), origin };
}

function toRule(row: RuleDocument): StoredRule {
  const { _id: id, which_keywords: which, keyword_ids: ids } = row;
  return {
    id,
    account_id: row.account_id,
    kind: row.kind,
    app_id: row.app_id,
    threshold: row.threshold,
    keywords: which === 'some' ? ids : which,
    channels: row.channels ?? [],
    is_enabled: row.is_enabled,
    created_at: row.created_at,
    enabled_at: row.enabled_at ?? row.created_at,
  };
}
