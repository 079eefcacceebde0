import { maxAlertRules } from '@shelfwise/facts/alerts/alert-kinds';
import { z } from 'zod';
import type { Clients } from '../clients.ts';
import { findTrackedListing } from './answers/tracked-app.ts';
import { defineRoute } from './route/define-route.ts';
import { appNotTracked } from './route/error-examples.ts';
import { idParameter } from './route/fields.ts';
import {
  alertKind,
  alertRule,
  ruleAppId,
  ruleChannels,
  ruleIsEnabled,
  ruleKeywords,
  ruleThreshold,
  toAlertRule,
  toKeywordScope,
  toKindMessage,
} from './shapes/alert-rule.ts';

type TrackedApps = { tracking: Pick<Clients['tracking'], 'getTrackedListing'> };
type CreateDeps = TrackedApps & { notify: Pick<Clients['notify'], 'createAlertRule'> };
type UpdateDeps = TrackedApps & { notify: Pick<Clients['notify'], 'updateAlertRule'> };

const ruleId = idParameter('Id of the rule, from the list of rules.');
const ruleNotFound = 'This account has no alert rule with that id.';
/** What a change and a new rule may leave out. */
const optionalFields = {
  app_id: ruleAppId.optional(),
  threshold: ruleThreshold.optional(),
  keywords: ruleKeywords.optional(),
  channels: ruleChannels.optional(),
  is_enabled: ruleIsEnabled.optional(),
};

export const createAlertRule = defineRoute({
  method: 'post',
  path: '/api/v1/alerts/rules',
  operationId: 'createAlertRule',
  tag: 'Alerts',
  summary: 'Create an alert rule',
  description: `From now on, what the rule finds is added to the feed of alerts. What is left out has its default: all applications, the threshold of the kind, all keywords, no channel, enabled. An account has at most ${maxAlertRules} rules. Repeating the call creates another rule.`,
  cost: 0,
  services: ['notify', 'tracking'],
  deadlineMs: 5000,
  body: z.strictObject({ kind: alertKind, ...optionalFields }),
  sample: { body: { kind: 'entered_top', app_id: 1, threshold: 3 } },
  data: alertRule,
  errors: {
    APP_NOT_FOUND: appNotTracked,
    PLAN_LIMIT: `An account has at most ${maxAlertRules} alert rules. Delete one first.`,
  },
  async handler(deps: CreateDeps, { account, body, call }) {
    if (body.app_id != null)
      await findTrackedListing(deps, { account_id: account.id, id: body.app_id }, call);
    const { rule } = await deps.notify.createAlertRule(
      {
        account_id: account.id,
        kind: toKindMessage(body.kind),
        app_id: body.app_id,
        threshold: body.threshold,
        keywords: toKeywordScope(body.keywords ?? 'all'),
        is_enabled: body.is_enabled ?? true,
        channel_ids: body.channels ?? [],
      },
      call,
    );
    return { data: toAlertRule(rule) };
  },
});

export const updateAlertRule = defineRoute({
  method: 'patch',
  path: '/api/v1/alerts/rules/{rule_id}',
  operationId: 'updateAlertRule',
  tag: 'Alerts',
  summary: 'Change an alert rule',
  description:
    'Changes what is sent and keeps the rest. A rule keeps its kind. Alerts that it has found stay as they are. Repeating the call is safe.',
  cost: 0,
  services: ['notify', 'tracking'],
  deadlineMs: 5000,
  params: z.object({ rule_id: ruleId }),
  body: z.strictObject(optionalFields),
  sample: { params: { rule_id: 1 }, body: { threshold: 8 } },
  data: alertRule,
  errors: { APP_NOT_FOUND: appNotTracked, NOT_FOUND: ruleNotFound },
  async handler(deps: UpdateDeps, { account, params, body, call }) {
    const { app_id: appId, keywords, channels } = body;
    if (appId != null) await findTrackedListing(deps, { account_id: account.id, id: appId }, call);
    const { rule } = await deps.notify.updateAlertRule(
      {
        account_id: account.id,
        id: params.rule_id,
        threshold: body.threshold,
        keywords: keywords === undefined ? null : toKeywordScope(keywords),
        is_enabled: body.is_enabled,
        app: appId === undefined ? null : { app_id: appId },
        channels: channels === undefined ? null : { ids: channels },
      },
      call,
    );
    return { data: toAlertRule(rule) };
  },
});
