import type {
  GetShareOfVoiceReply,
  GetShareOfVoiceRequest,
  ShareOfApp,
} from '@shelfwise/proto/scoring/v1/scoring';
import { checkAccountId, checkText, checkWindow } from '@shelfwise/runtime/check-request';
import { daysBefore, daysInWindow, utcDay } from '@shelfwise/runtime/day';
import { invalidParams } from '@shelfwise/runtime/errors';
import { keepTermsThatCount } from '../audits/terms-that-count.ts';
import { round4 } from '../domain/curve.ts';
import { readTrackedListing } from '../domain/listing-reading.ts';
import { type Basket, basketOn } from '../domain/visibility/basket.ts';
import { othersShare, roundShare } from '../domain/visibility/share-of-voice.ts';
import {
  type DayPages,
  daysBeforeWindow,
  newestVoice,
  toVoiceTerms,
  type VoiceTerm,
  voiceDays,
} from '../domain/visibility/voice-days.ts';
import type { BasketStore } from '../stores/basket-store.ts';
import type { ListingStore } from '../stores/listing-store.ts';
import { maxVoiceDays, type PageDayStore } from '../stores/page-day-store.ts';
import type { TermStore } from '../stores/term-store.ts';
import type { TrackedTermStore } from '../stores/tracked-term-store.ts';

const maxCompetitors = 100;
const maxAppIdLength = 255;

type Deps = {
  baskets: Pick<BasketStore, 'list'>;
  listings: Pick<ListingStore, 'find'>;
  pageDays: Pick<PageDayStore, 'listBetween'>;
  terms: Pick<TermStore, 'findShownApps'>;
  trackedTerms: Pick<TrackedTermStore, 'findOfAccount'>;
  now: () => Date;
};

/**
 * The shares of voice of a listing's app, its competitors and the ten largest apps on the newest day of a window with a result page,
 * and those of the app and its competitors on each day, rounded to four decimals but a share above 0 never to 0, on request with their visibility. Without a page of a term that counts there is no day.
 * Five queries, none of a store. Tracking has checked that the account tracks the app.
 * @throws INVALID_PARAMS
 */
export async function getShareOfVoice(
  deps: Deps,
  request: GetShareOfVoiceRequest,
): Promise<GetShareOfVoiceReply> {
  const accountId = checkAccountId(request.account_id);
  const listing = readTrackedListing(request.app);
  const competitors = checkCompetitors(request.competitor_app_ids);
  const window = checkVoiceWindow(request);
  const today = utcDay(deps.now());
  const shown = { from: window.from, to: window.to < today ? window.to : today };
  const [rows, versions, known] = await Promise.all([
    deps.pageDays.listBetween(listing.id, daysBefore(window.from, daysBeforeWindow), shown.to),
    deps.baskets.list(listing.id),
    deps.listings.find(listing.id),
  ]);
  const described = known?.described_terms ?? null;
  const { baskets, tracked } = await keepTermsThatCount(deps, versions, { accountId, listing, described });
  const recorded = { baskets, days: rows.filter((day) => hasPage(day, baskets)) };
  const appIds = [...new Set([listing.app_id, ...competitors])];
  const newest = newestVoice(shown, recorded, appIds);
  const basket = basketOn(newest?.date ?? shown.to, baskets);
  const apps = newest?.apps ?? appIds.map((appId) => ({ app_id: appId, share: null, change_7d: null }));
  const keywords = newest && basket ? basket.terms.map(({ keyword }) => keyword) : [];
  const looks = await deps.terms.findShownApps(listing.storefront, keywords);
  const shares = apps
    .map(
      ({ app_id: appId, share, change_7d: change }): ShareOfApp => ({
        app_id: appId,
        title: looks.get(appId)?.title,
        icon: looks.get(appId)?.icon,
        is_own: appId === listing.app_id,
        is_competitor: appId !== listing.app_id && competitors.includes(appId),
        share: rounded(share),
        change_7d: change === null ? null : round4(change),
      }),
    )
    .sort((a, b) => (b.share ?? 0) - (a.share ?? 0));
  const history = await voiceDays(shown, recorded, appIds);
  return {
    date: newest?.date,
    oldest_page: newest?.oldest_page,
    terms: basket?.terms.length ?? 0,
    terms_read: newest?.terms_read ?? 0,
    basket: (newest?.basket ?? unreadTerms(basket))
      .filter(({ keyword }) => tracked.has(keyword))
      .map(({ keyword, weight, page_date: date }) => ({
        keyword,
        weight: roundShare(weight),
        page_date: date ?? undefined,
      })),
    apps: shares,
    others: othersOf(apps),
    history: history.map((day) => ({
      date: day.date,
      terms: day.terms,
      terms_read: day.terms_read,
      apps: appIds.map((appId, index) => ({
        app_id: appId,
        share: rounded(day.shares[index] ?? null),
        visibility: request.with_visibility ? (day.visibilities[index] ?? null) : null,
      })),
    })),
  };
}

function checkCompetitors(appIds: readonly string[]): readonly string[] {
  if (appIds.length > maxCompetitors)
    throw invalidParams({ competitor_app_ids: `must name at most ${maxCompetitors} competitors` });
  if (new Set(appIds).size < appIds.length)
    throw invalidParams({ competitor_app_ids: 'must name each competitor once' });
  return appIds.map((appId) => checkText('competitor_app_ids', appId, 1, maxAppIdLength));
}

function checkVoiceWindow(request: { from: string; to: string }): { from: string; to: string } {
  const window = checkWindow(request.from, request.to);
  if (daysInWindow(window.from, window.to) > maxVoiceDays)
    throw invalidParams({ from: `must be at most ${maxVoiceDays - 1} days before to` });
  return window;
}

/** A day on which only pages of terms were read that do not count is no day of this history. */
function hasPage({ day, pageOf }: DayPages, baskets: readonly Basket[]): boolean {
  return basketOn(day, baskets)?.terms.some(({ keyword }) => pageOf(keyword) !== undefined) ?? false;
}

function unreadTerms(basket: Basket | null): VoiceTerm[] {
  return toVoiceTerms((basket?.terms ?? []).map(({ keyword, traffic }) => ({ keyword, traffic, day: null })));
}

function rounded(share: number | null): number | null {
  return share === null ? null : roundShare(share);
}

/** Null when the shares are, all or none of them. */
function othersOf(apps: readonly { share: number | null }[]): number | null {
  const shares = apps.flatMap(({ share }) => share ?? []);
  return shares.length === 0 ? null : othersShare(shares);
}
