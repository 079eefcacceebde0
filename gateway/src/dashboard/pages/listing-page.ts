import { known } from '@shelfwise/dashboard/figure';
import type { PageData } from '@shelfwise/dashboard/page-data';
import type { ListingModel } from '@shelfwise/dashboard/pages/listing/model';
import { maxKeywordsFieldUnits } from '@shelfwise/facts/stores/listing-fields';
import { getAsoHealth } from '../../routes/get-aso-health.ts';
import { getKeywordsField } from '../../routes/keywords-field.ts';
import { listApplications } from '../../routes/list-applications.ts';
import { appNotFound, dataOf, dataOr, type PageContext, toAppHead, toFrame } from './page-context.ts';
import { readTimeline } from './read-timeline.ts';
import { toFlag, toListingField, toProgress, toWordsToAdd } from './report-parts.ts';

/** The warnings of an audit, as the page names them. */
const noteOf = { audit_pending: 'pending', audit_partial: 'partial', stale_store_data: 'stale' } as const;

/** Five calls: the apps, the stored audit with its words, the kept keywords field, and the two or three of the timeline. */
export async function buildListing(context: PageContext, appId: string): Promise<PageData> {
  const params = { id: appId };
  const [applications, audit, kept, timeline] = await Promise.all([
    context.call(listApplications),
    context.call(getAsoHealth, { params, query: { include_words: 'true' } }),
    context.call(getKeywordsField, { params }),
    readTimeline(context, appId, { withRivals: true }),
  ]);
  const apps = dataOf(applications);
  const app = apps.find(({ id }) => String(id) === appId);
  if (!app) throw appNotFound();
  const { report = null, pending: awaited = null } = dataOr(audit, null) ?? {};
  const fields = awaited?.fields ?? report?.fields ?? [];
  const warnings = 'meta' in audit ? (audit.meta?.warnings ?? []) : [];
  return {
    page: 'listing',
    frame: toFrame(context, apps, { appId }),
    model: {
      app: toAppHead(app),
      auditedAt: report?.computed_at ?? null,
      notes: 'failure' in audit ? ['no_answer'] : warnings.map((warning) => noteOf[warning]),
      unlistedSince: app.unlisted_since,
      awaited: toProgress(awaited),
      fields: fields.map((field) => toListingField(field, app.store)),
      flags: report?.flags.map(toFlag) ?? null,
      wordsToAdd: toWordsToAdd(report?.flags ?? [], fields, app.lang),
      timeline,
      keywordsField: app.store === 'ITUNES' ? toKeywordsField(dataOr(kept, null)) : null,
    },
  };
}

function toKeywordsField(
  kept: { kw_field: string | null; updated_at: string | null } | null,
): ListingModel['keywordsField'] {
  return kept && { text: kept.kw_field, updatedAt: kept.updated_at, limit: known(maxKeywordsFieldUnits) };
}
