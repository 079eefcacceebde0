import { checkOwnStorefront } from '@shelfwise/facts/checks/check-own-storefront';
import { checkStorefront } from '@shelfwise/facts/checks/check-storefront';
import type { Storefront } from '@shelfwise/facts/stores/storefront';
import { hasInvalidCharacters } from '@shelfwise/facts/text/invalid-characters';
import type { Draft, SimulateListingRequest } from '@shelfwise/proto/scoring/v1/scoring';
import { checkAccountId } from '@shelfwise/runtime/check-request';
import { invalidParams } from '@shelfwise/runtime/errors';
import { type ListingReading, readTrackedListing } from '../domain/listing-reading.ts';
import { checkContext, type SentContext } from './check-context.ts';
import { checkTexts, type SentTexts } from './check-texts.ts';

/** A validated request. `app` is null for a draft that is not of a tracked app. */
export type Simulation = {
  account_id: string;
  app: ListingReading | null;
  storefront: Storefront;
  texts: SentTexts;
  context: SentContext;
};

/** @throws INVALID_PARAMS naming what is out of bounds, and for a storefront that is not the app's own */
export function checkSimulation(request: SimulateListingRequest): Simulation {
  const accountId = checkAccountId(request.account_id);
  const app = request.app && readTrackedListing(request.app);
  return {
    account_id: accountId,
    app,
    storefront: app ? checkAppStorefront(request, app.storefront) : checkStorefront(request.storefront),
    texts: checkDraft(request.draft),
    context: request.context ? checkContext(request.context) : {},
  };
}

/** The storefront may be left out for an app; if it is sent, it must be the app's own. */
function checkAppStorefront({ storefront }: SimulateListingRequest, expected: Storefront): Storefront {
  if (!storefront) return expected;
  checkOwnStorefront(checkStorefront(storefront), expected);
  return expected;
}

/** Rejects text that cannot be stored: a draft is stored and shown again as it was sent. */
function checkDraft(draft: Draft | null): SentTexts {
  const texts = checkTexts(draft);
  const invalid = Object.entries(texts).filter(([, text]) => hasInvalidCharacters(text));
  if (invalid.length === 0) return texts;
  throw invalidParams(
    Object.fromEntries(invalid.map(([key]) => [key, 'must not contain NUL or broken Unicode'])),
  );
}
