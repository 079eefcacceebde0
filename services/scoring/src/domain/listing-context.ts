import { normalizeNewlines } from '@shelfwise/facts/stores/listing-fields';
import type { Store } from '@shelfwise/facts/stores/store';
import type { Listing } from '@shelfwise/proto/store/v1/listing';
import { dayMs } from '@shelfwise/runtime/day';
import type { AuditContext, ListingTexts } from './audit/audit-input.ts';

/** The texts of a live listing. The App Store's keywords field is always unknown, and so is a text that was not read. */
export function textsOf(listing: Pick<Listing, 'title' | 'subtitle' | 'description'>): ListingTexts {
  return {
    title: toText(listing.title),
    subtitle: toText(listing.subtitle),
    description: toText(listing.description),
    kw_field: null,
  };
}

function toText(text: string | null | undefined): string | null {
  return text == null ? null : normalizeNewlines(text);
}

/**
 * The values besides the texts that an audit needs of a live listing. `installs` is null except on Google Play. How old
 * the version of an unlisted app is cannot be known: its page is not read any more.
 */
export function contextOf(
  store: Store,
  listing: Listing,
  now: Date,
  unlistedSince: Date | null = null,
): AuditContext {
  return {
    is_rating_unread: isUnread(listing, 'score') ? true : undefined,
    rating: listing.score ?? null,
    rating_count: listing.ratings ?? null,
    installs: store === 'GPLAY' ? (listing.installs ?? null) : null,
    screenshots: isUnread(listing, 'screenshots') ? null : listing.screenshots.length,
    days_since_update:
      listing.updated_at && unlistedSince === null ? daysBetween(listing.updated_at, now) : null,
    age_months: listing.released_at ? monthsBetween(listing.released_at, now) : null,
    has_video: listing.has_video ?? null,
    // Without languages the store does not say how many there are.
    language_count: listing.languages.length || null,
  };
}

function isUnread({ unreadable }: Listing, field: keyof Listing): boolean {
  return unreadable.includes(field);
}

/** Whole days, 0 when `from` is in the future. */
function daysBetween(from: Date, to: Date): number {
  return Math.max(0, Math.floor((to.getTime() - from.getTime()) / dayMs));
}

/** Whole calendar months in UTC, 0 when `from` is in the future. */
function monthsBetween(from: Date, to: Date): number {
  const months = (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth();
  const isComplete = intoMonthMs(to) >= intoMonthMs(from);
  return Math.max(0, isComplete ? months : months - 1);
}

/** Milliseconds since the start of the month, in UTC. */
function intoMonthMs(at: Date): number {
  return at.getTime() - Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1);
}
