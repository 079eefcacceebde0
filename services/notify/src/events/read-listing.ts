import type { TrackedListing } from '@shelfwise/proto/tracking/v1/tracked_listing';
import { utcDay } from '@shelfwise/runtime/day';
import type { KeptListing } from '../domain/listing-change.ts';
import { ownChart } from '../domain/own-chart.ts';

/** What notify keeps of a listing in an event. @throws when it has no listing or no time */
export function readListing(tracked: TrackedListing | null): KeptListing {
  if (!tracked?.listing) throw new Error('the event does not include the listing');
  const { listing, read_at: readAt } = tracked;
  if (!readAt) throw new Error('the event does not say when the listing was read');
  const score = listing.score ?? null;
  return {
    id: tracked.id,
    app_id: listing.app_id,
    title: listing.title ?? null,
    subtitle: listing.subtitle ?? null,
    version: listing.version ?? null,
    score,
    score_day: score === null ? null : utcDay(readAt),
    chart_id: ownChart(tracked.storefront, listing),
    revision: tracked.revision,
    // One that the store does not list any more comes with its last reading, which still shows it.
    day: utcDay(tracked.unlisted_since ?? readAt),
  };
}
