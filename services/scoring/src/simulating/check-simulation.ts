import { type ListingFieldKey, normalizeNewlines } from '@shelfwise/facts/listing-fields';
import type { Storefront } from '@shelfwise/facts/storefront';
import type { Draft, SimulateListingRequest } from '@shelfwise/proto/scoring/v1/scoring';
import type { Listing } from '@shelfwise/proto/store/v1/store';
import type { TrackedListing } from '@shelfwise/proto/tracking/v1/tracked_listing';
import { checkAccountId, checkId, checkText } from '@shelfwise/runtime/check-request';
import { checkStorefront } from '@shelfwise/runtime/check-storefront';
import { invalidParams } from '@shelfwise/runtime/errors';
import { checkContext, type SentContext } from './check-context.ts';

/** UTF-16 units of one text, far beyond what a store takes. */
const maxTextLength = 20_000;

/** The texts that were sent, with line ends made one; a key that is absent was not sent. */
export type SentTexts = Partial<Record<ListingFieldKey, string>>;

/** A request that can be worked on. `app` is null for a draft from nothing. */
export type Simulation = {
  account_id: string;
  app: (TrackedListing & { listing: Listing }) | null;
  storefront: Storefront;
  texts: SentTexts;
  context: SentContext;
};

/** @throws INVALID_PARAMS naming what is out of bounds, and for a storefront that is not the app's own */
export function checkSimulation(request: SimulateListingRequest): Simulation {
  const account_id = checkAccountId(request.account_id);
  const app = request.app && checkApp(request.app);
  return {
    account_id,
    app,
    storefront: app ? ownStorefront(request, app.storefront) : checkStorefront(request.storefront),
    texts: request.draft ? checkTexts(request.draft) : {},
    context: request.context ? checkContext(request.context) : {},
  };
}

function checkApp({ id, listing, storefront, ...app }: TrackedListing) {
  if (!listing) throw invalidParams({ app: 'must carry its listing' });
  return { ...app, id: checkId('app.id', id), listing, storefront: checkStorefront(storefront) };
}

function ownStorefront({ storefront }: SimulateListingRequest, own: Storefront): Storefront {
  if (!storefront) return own;
  const sent = checkStorefront(storefront);
  const differing = (['store', 'country', 'lang'] as const).filter((part) => sent[part] !== own[part]);
  if (differing.length === 0) return own;
  throw invalidParams(
    Object.fromEntries(differing.map((part) => [part, `must be the app's own: ${own[part]}`])),
  );
}

function checkTexts({ title, subtitle, description, kw_field }: Draft): SentTexts {
  const sent: SentTexts = {};
  for (const [key, text] of Object.entries({ title, subtitle, description, kw_field }))
    if (text != null)
      sent[key as ListingFieldKey] = normalizeNewlines(checkText(key, text, 0, maxTextLength));
  return sent;
}
