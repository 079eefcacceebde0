import { maxAlertChannels } from '@shelfwise/facts/alerts/alert-channels';
import type { AlertKind } from '@shelfwise/facts/alerts/alert-kinds';
import { maxAlertRules, maxKeywordIds } from '@shelfwise/facts/alerts/alert-kinds';
import type {
  AlertRule,
  CreateAlertRuleReply,
  CreateAlertRuleRequest,
  DeleteAlertRuleReply,
  DeleteAlertRuleRequest,
  KeywordScope as KeywordScopeMessage,
  ListAlertRulesReply,
  ListAlertRulesRequest,
  UpdateAlertRuleReply,
  UpdateAlertRuleRequest,
} from '@shelfwise/proto/notify/v1/notify';
import { checkAccountId, checkId, checkPage } from '@shelfwise/runtime/check-request';
import { AppError, invalidParams } from '@shelfwise/runtime/errors';
import type { CallContext } from '@shelfwise/runtime/grpc/grpc-types';
import type { CapReservations } from '@shelfwise/runtime/mongo/cap-reservations';
import type { GiveDefaultRules } from '../default-rules.ts';
import { checkThreshold, isChartKind, isKeywordKind, isWholeAccountKind } from '../domain/alert-kind.ts';
import type { KeywordScope, Rule } from '../domain/rule.ts';
import type { ForgetDeletedAccounts } from '../forget-account.ts';
import type { ChannelStore } from '../stores/channel-store.ts';
import type { RuleChange, RuleStore, StoredRule } from '../stores/rule-store.ts';
import { checkKind, toKindMessage } from './kind-message.ts';

type Deps = {
  rules: Pick<RuleStore, 'list' | 'count' | 'find' | 'create' | 'update' | 'remove'>;
  channels: Pick<ChannelStore, 'findIds'>;
  capReservations: Pick<CapReservations, 'write'>;
  giveDefaultRules: GiveDefaultRules;
  forgetDeletedAccounts: ForgetDeletedAccounts;
  /** The rule may look at another chart than before, which is to be read. */
  askForCharts: (rule: Rule) => void;
  now: () => Date;
};

/** Oldest first. Cost: a query for the account, one for the page, and a count. */
export async function listAlertRules(
  deps: Deps,
  request: ListAlertRulesRequest,
): Promise<ListAlertRulesReply> {
  const accountId = checkAccountId(request.account_id);
  const page = checkPage(request);
  await giveDefaults(deps, accountId);
  const [rules, total] = await Promise.all([deps.rules.list(accountId, page), deps.rules.count(accountId)]);
  return { rules: rules.map(toMessage), total };
}

/**
 * An account never has more than `maxAlertRules`, however many calls create one at once.
 * @throws INVALID_PARAMS, PLAN_LIMIT, SERVICE_UNAVAILABLE: other calls may take the last ones
 */
export async function createAlertRule(
  deps: Deps,
  request: CreateAlertRuleRequest,
  { signal }: Pick<CallContext, 'signal'>,
): Promise<CreateAlertRuleReply> {
  const accountId = checkAccountId(request.account_id);
  const kind = checkKind(request.kind);
  const fresh = {
    account_id: accountId,
    kind,
    app_id: checkApp(kind, request.app_id),
    threshold: checkThreshold(kind, request.threshold),
    keywords: request.keywords ? checkKeywords(kind, request.keywords) : ('all' as const),
    channels: await checkChannels(deps, accountId, request.channel_ids),
    is_enabled: request.is_enabled,
  };
  await giveDefaults(deps, accountId);
  const countRows = () => deps.rules.count(accountId);
  const { written: rule, isFull } = await deps.capReservations.write(
    { accountId, item: 'rules', cap: maxAlertRules, wanted: 1, countRows, signal },
    {
      write: () => deps.rules.create(fresh, deps.now()),
      undo: async ({ id }) => void (await deps.rules.remove(accountId, id)),
    },
  );
  if (!rule) throw noRoom(isFull);
  await forget(deps, accountId);
  if (looksAtOthers(null, rule)) deps.askForCharts(rule);
  return { rule: toMessage(rule) };
}

/** @throws INVALID_PARAMS, NOT_FOUND */
export async function updateAlertRule(
  deps: Deps,
  request: UpdateAlertRuleRequest,
): Promise<UpdateAlertRuleReply> {
  const accountId = checkAccountId(request.account_id);
  const id = checkId('id', request.id);
  const stored = await deps.rules.find(accountId, id);
  if (!stored) throw ruleNotFound();
  const { threshold, keywords, is_enabled: isEnabled, app, channels } = request;
  const change: RuleChange = {};
  if (threshold != null) change.threshold = checkThreshold(stored.kind, threshold);
  if (keywords) change.keywords = checkKeywords(stored.kind, keywords);
  if (isEnabled != null) change.is_enabled = isEnabled;
  if (isEnabled && !stored.is_enabled) change.enabled_at = deps.now();
  if (app) change.app_id = checkApp(stored.kind, app.app_id);
  if (channels) change.channels = await checkChannels(deps, accountId, channels.ids);
  const isUnchanged = Object.keys(change).length === 0;
  const rule = isUnchanged ? stored : await deps.rules.update(accountId, id, change);
  if (!rule) throw ruleNotFound();
  if (looksAtOthers(stored, rule)) deps.askForCharts(rule);
  return { rule: toMessage(rule) };
}

export async function deleteAlertRule(
  deps: Deps,
  request: DeleteAlertRuleRequest,
): Promise<DeleteAlertRuleReply> {
  const accountId = checkAccountId(request.account_id);
  const id = checkId('id', request.id);
  return { id, already_removed: !(await deps.rules.remove(accountId, id)) };
}

/** Whether the rule may look at charts that it did not look at before. */
function looksAtOthers(before: StoredRule | null, rule: StoredRule): boolean {
  if (!isChartKind(rule.kind) || !rule.is_enabled) return false;
  return !before?.is_enabled || before.app_id !== rule.app_id;
}

/** @throws NOT_FOUND when the account was deleted meanwhile */
async function giveDefaults(deps: Deps, accountId: string): Promise<void> {
  await deps.giveDefaultRules(accountId);
  await forget(deps, accountId);
}

async function forget({ forgetDeletedAccounts }: Deps, accountId: string): Promise<void> {
  const deleted = await forgetDeletedAccounts([accountId]);
  if (deleted.length > 0) throw new AppError('NOT_FOUND', 'The account was deleted.');
}

function noRoom(isFull: boolean): AppError {
  return isFull
    ? new AppError('PLAN_LIMIT', `An account has at most ${maxAlertRules} alert rules. Delete one first.`)
    : new AppError(
        'SERVICE_UNAVAILABLE',
        'Another call may create the last rule. Try again in a few seconds.',
      );
}

function ruleNotFound(): AppError {
  return new AppError('NOT_FOUND', 'This account has no alert rule with that id.');
}

/** @throws INVALID_PARAMS for a kind that is about all applications */
function checkApp(kind: AlertKind, appId: number | null | undefined): number | null {
  if (appId == null) return null;
  if (isWholeAccountKind(kind))
    throw invalidParams({ app_id: `a rule of the kind ${kind} is about all applications: leave it out` });
  return checkId('app_id', appId);
}

/** @throws INVALID_PARAMS */
function checkKeywords(kind: AlertKind, { which, ids }: KeywordScopeMessage): KeywordScope {
  if (which !== 'ALL' && !isKeywordKind(kind))
    throw invalidParams({ keywords: `a rule of the kind ${kind} looks at no keywords: leave it out` });
  if (which === 'SOME') {
    if (ids.length < 1 || ids.length > maxKeywordIds)
      throw invalidParams({ keywords: `must have 1 to ${maxKeywordIds} ids` });
    return [...new Set(ids.map((id) => checkId('keywords', id)))];
  }
  if (ids.length > 0 || (which !== 'ALL' && which !== 'FAVORITES'))
    throw invalidParams({ keywords: 'must be all, favorites or ids' });
  return which === 'ALL' ? 'all' : 'favorites';
}

/** @throws INVALID_PARAMS unless all are channels of the account */
async function checkChannels(
  { channels }: Deps,
  accountId: string,
  ids: readonly number[],
): Promise<number[]> {
  const wanted = [...new Set(ids.map((id) => checkId('channels', id)))];
  if (wanted.length === 0) return [];
  if (wanted.length > maxAlertChannels)
    throw invalidParams({ channels: `must have at most ${maxAlertChannels} ids` });
  const known = await channels.findIds(accountId, wanted);
  const unknown = wanted.filter((id) => !known.has(id));
  if (unknown.length > 0)
    throw invalidParams({ channels: `has no channel of this account: ${unknown.join(', ')}` });
  return wanted;
}

function toMessage(rule: StoredRule): AlertRule {
  return {
    id: rule.id,
    kind: toKindMessage(rule.kind),
    app_id: rule.app_id,
    threshold: rule.threshold,
    keywords: toScopeMessage(rule.keywords),
    is_enabled: rule.is_enabled,
    created_at: rule.created_at,
    channel_ids: [...rule.channels],
  };
}

function toScopeMessage(keywords: KeywordScope): KeywordScopeMessage {
  if (keywords === 'all') return { which: 'ALL', ids: [] };
  return keywords === 'favorites' ? { which: 'FAVORITES', ids: [] } : { which: 'SOME', ids: [...keywords] };
}
