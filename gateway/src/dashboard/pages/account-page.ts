import { type Figure, known } from '@shelfwise/dashboard/figure';
import type { PageData } from '@shelfwise/dashboard/page-data';
import type { UsageBar } from '@shelfwise/dashboard/pages/account/model';
import { toNextMonthStart } from '../../limits/usage-counters.ts';
import type { ListedGrant } from '../../oauth/grants.ts';
import { getAccountUsage } from '../../routes/get-account-usage.ts';
import { listApplications } from '../../routes/list-applications.ts';
import type { ListedSession } from '../sessions.ts';
import { dataOf, type PageContext, toFrame } from './page-context.ts';

/** Two calls: the apps and the usage. */
export async function buildAccount(
  context: PageContext,
  {
    sessions,
    connections,
    canAssistantsConnect,
  }: {
    sessions: readonly ListedSession[];
    connections: readonly ListedGrant[];
    canAssistantsConnect: boolean;
  },
): Promise<PageData> {
  const [applications, usage] = await Promise.all([
    context.call(listApplications),
    context.call(getAccountUsage),
  ]);
  const { usage: used, limits } = dataOf(usage);
  const { account, id } = context.session;
  const bar = (name: UsageBar['name'], limit: number | null): UsageBar => ({
    name,
    used: known(used[name]),
    limit: toLimit(limit),
  });
  return {
    page: 'account',
    frame: toFrame(context, dataOf(applications)),
    model: {
      email: account.email,
      plan: account.plan,
      hasApi: context.plan.api_access,
      keyPrefix: account.keyPrefix,
      keyMadeAt: account.keyMadeAt?.toISOString() ?? null,
      url: context.publicUrl,
      renewsAt: toNextMonthStart(context.now).toISOString(),
      usage: [
        bar('apps', limits.apps),
        bar('keywords', limits.keywords),
        bar('competitors', limits.competitors),
        bar('api_requests', limits.api_requests_per_month),
        bar('keyword_inspections', limits.keyword_inspections_per_month),
        bar('niche_analyses', limits.niche_analyses_per_month),
        bar('autocomplete_queries', limits.autocomplete_queries_per_month),
        bar('metadata_simulations', limits.metadata_simulations_per_month),
      ],
      sessions: sessions.map((one) => ({
        id: one.id,
        label: one.label,
        createdAt: one.created_at,
        lastSeenAt: one.last_seen_at,
        isThis: one.id === id,
      })),
      canAssistantsConnect,
      connections: connections.map((one) => ({
        id: one.id,
        client: one.client_name,
        redirectHost: one.redirect_host,
        canWrite: one.scopes.includes('write'),
        createdAt: one.created_at,
        lastUsedAt: one.last_used_at,
      })),
    },
  };
}

export function toLimit(limit: number | null): Figure {
  return limit === null ? { state: 'not_applicable' } : known(limit);
}
