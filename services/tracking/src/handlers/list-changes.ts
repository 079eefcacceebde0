import type {
  ChangeEffect,
  ListChangesReply,
  ListChangesRequest,
  ListingChange,
} from '@shelfwise/proto/tracking/v1/tracking';
import { checkAccountId, checkDay, checkId, checkPage, checkWindow } from '@shelfwise/runtime/check-request';
import { utcDay } from '@shelfwise/runtime/day';
import type { CallContext } from '@shelfwise/runtime/grpc/grpc-types';
import {
  compareFields,
  compareSearchedWords,
  createFormsOf,
  type KnownVersion,
} from '../domain/field-changes.ts';
import type { DatedChange } from '../domain/other-changes.ts';
import type { OrderingTurns } from '../keywords/ordering-turns.ts';
import {
  daysAround,
  type EffectDeps,
  hasEffect,
  type OwnChange,
  readEffects,
} from '../listings/read-effects.ts';
import type { CompetitorStore } from '../stores/competitor-store.ts';
import type { ListingName, ListingStore } from '../stores/listing-store.ts';
import type { Description, ListingVersionStore, ShortVersion } from '../stores/listing-version-store.ts';
import type { TrackedAppKey, TrackedAppStore } from '../stores/tracked-app-store.ts';
import { appNotTracked, lookUpIn } from '../tracking-errors.ts';

const maxCompetitors = 1000;
const maxChanges = 1000;
const maxPerPage = 50;

type Deps = EffectDeps & {
  orderingTurns: Pick<OrderingTurns, 'compare'>;
  trackedApps: Pick<TrackedAppStore, 'isActive'>;
  competitors: Pick<CompetitorStore, 'listActive'>;
  listings: Pick<ListingStore, 'findNames'>;
  listingVersions: Pick<
    ListingVersionStore,
    'listChanges' | 'findPrevious' | 'findRewritten' | 'listDescriptions'
  >;
  now: () => Date;
};

/** A revision and the one before it, each without its description. */
type Pair = { row: ShortVersion; previous: ShortVersion };

const idOf = ({ row }: Pick<Pair, 'row'>) => `${row.listing_id}:${row.revision}`;

/**
 * The revisions of an application's listing, and of its competitors', that show other texts, another version or other
 * pictures, newest first. A value that was not known before is no change.
 *
 * Cost: one query for the listings, two to four for the revisions, one for the descriptions of each listing on the page, and those of
 * `readEffects`, with as many for the revisions around.
 * @throws APP_NOT_FOUND; INVALID_PARAMS also when the effects need too many result pages
 */
export async function listChanges(
  deps: Deps,
  request: ListChangesRequest,
  { signal }: Pick<CallContext, 'signal'>,
): Promise<ListChangesReply> {
  const app = {
    account_id: checkAccountId(request.account_id),
    listing_id: checkId('app_id', request.app_id),
  };
  const window = checkWindow(request.from, request.to);
  const { skip, limit } = checkPage(request, maxPerPage);
  const oldestDay = checkDay('oldest_day', request.oldest_day);

  if (!(await deps.trackedApps.isActive(app))) throw appNotTracked();
  const names = await findNames(deps, app, request.competitors);
  const nameOf = lookUpIn(names, 'listing');
  const listing = nameOf(app.listing_id);
  const { pairs, isTruncated } = await readPairs(
    deps,
    names.map(({ _id: id }) => id),
    window,
    listing.lang,
  );
  const page = pairs.slice(skip, skip + limit);
  const changes = await addDescriptions(deps, page, app.listing_id);
  const today = utcDay(deps.now());
  const formsOf = createFormsOf(listing.lang);
  const own = changes
    .filter(({ row }) => request.effects && row.listing_id === app.listing_id)
    .map((change) => toOwnChange(change, { store: listing.store, formsOf }))
    .filter(({ day }) => hasEffect(day, today));
  const about = { app, appId: listing.app_id, formsOf, today, oldestDay };
  const compare = async () => {
    const around = await readAround(deps, listing, own, oldestDay);
    return readEffects(deps, { ...about, around }, own, signal);
  };
  // Comparing takes long: accounts take turns. A call that compares nothing does not wait.
  const effects =
    own.length === 0
      ? new Map<string, ChangeEffect[]>()
      : await deps.orderingTurns.compare(app.account_id, signal, compare);
  return {
    changes: changes.map((change) => {
      const isOwn = change.row.listing_id === app.listing_id;
      const name = nameOf(change.row.listing_id);
      return toMessage(change, { name, isOwn, lang: listing.lang, effects: effects.get(idOf(change)) ?? [] });
    }),
    total: pairs.length,
    truncated: isTruncated,
  };
}

async function findNames(
  { competitors, listings }: Deps,
  app: TrackedAppKey,
  withCompetitors: boolean,
): Promise<ListingName[]> {
  const relations = withCompetitors ? await competitors.listActive(app, maxCompetitors) : [];
  return listings.findNames([app.listing_id, ...relations.map(({ competitor_id: id }) => id)]);
}

/** Those of the newest `maxChanges` that show a change. The descriptions themselves are not read yet. */
async function readPairs(
  { listingVersions }: Pick<Deps, 'listingVersions'>,
  listingIds: readonly number[],
  window: { from: string; to: string },
  lang: string,
): Promise<{ pairs: Pair[]; isTruncated: boolean }> {
  const found = await listingVersions.listChanges(listingIds, window, maxChanges + 1);
  const rows = found.slice(0, maxChanges);
  const earlier = await listingVersions.findPrevious(rows);
  const previous = new Map(earlier.map((row) => [idOf({ row }), row]));
  const pairs = rows.flatMap((row): Pair[] => {
    const before = previous.get(`${row.listing_id}:${row.revision - 1}`);
    return before ? [{ row, previous: before }] : [];
  });
  const others = pairs.filter((pair) => !showsChange(pair, lang)).map(({ row }) => row);
  const rewritten = await listingVersions.findRewritten(
    others.filter(({ changed }) => changed.includes('description')),
  );
  const hidden = new Set(others.filter((row) => !rewritten.has(idOf({ row }))));
  return {
    pairs: pairs.filter(({ row }) => !hidden.has(row)),
    isTruncated: found.length > maxChanges,
  };
}

/** The application's changes on the days that may be compared, newest first. */
async function readAround(
  deps: Deps,
  { _id: id, lang }: { _id: number; lang: string },
  own: readonly OwnChange[],
  oldestDay: string,
): Promise<DatedChange[]> {
  const days = daysAround(
    own.map(({ day }) => day),
    oldestDay,
  );
  const { pairs } = await readPairs(deps, [id], days, lang);
  return pairs.map((pair) => ({ id: idOf(pair), day: utcDay(pair.row.read_at) }));
}

/** Apart from the description. */
function showsChange({ row, previous }: Pair, lang: string): boolean {
  const { changed } = row;
  if (changed.includes('icon') || changed.includes('screenshots')) return true;
  return compareFields(withDescription(previous, null), withDescription(row, null), lang).length > 0;
}

type Change = { row: ShortVersion; previous: ShortVersion; before: KnownVersion; after: KnownVersion };

/** Own changes of a text have all texts, others their description only if it changed. */
async function addDescriptions(
  { listingVersions }: Deps,
  pairs: readonly Pair[],
  ownId: number,
): Promise<Change[]> {
  const needed = pairs.filter(({ row }) => row.listing_id === ownId || row.changed.includes('description'));
  const listingIds = [...new Set(needed.map(({ row }) => row.listing_id))];
  const found = await Promise.all(
    listingIds.map(async (id) => {
      const rows = needed.flatMap(({ row }) => (row.listing_id === id ? [row] : []));
      // The description before the oldest change is one more.
      const count = 1 + rows.filter(({ changed }) => changed.includes('description')).length;
      const last = Math.max(...rows.map(({ revision }) => revision));
      return [id, await listingVersions.listDescriptions(id, last, count)] as const;
    }),
  );
  const descriptions = new Map(found);
  return pairs.map(({ row, previous }) => {
    const known = descriptions.get(row.listing_id) ?? [];
    return {
      row,
      previous,
      before: withDescription(previous, descriptionAt(known, previous.revision)),
      after: withDescription(row, descriptionAt(known, row.revision)),
    };
  });
}

/** @param descriptions newest first */
function descriptionAt(descriptions: readonly Description[], revision: number): string | null {
  return descriptions.find((one) => one.revision <= revision)?.description ?? null;
}

function withDescription(
  { title, subtitle, version }: ShortVersion,
  description: string | null,
): KnownVersion {
  return { title, subtitle, description, version };
}

function toOwnChange(change: Change, context: Parameters<typeof compareSearchedWords>[2]): OwnChange {
  const words = compareSearchedWords(change.before, change.after, context);
  return { id: idOf(change), day: utcDay(change.row.read_at), words };
}

function toMessage(
  change: Change,
  context: { name: ListingName; isOwn: boolean; lang: string; effects: ChangeEffect[] },
): ListingChange {
  const { row, previous, before, after } = change;
  const { name, isOwn, lang, effects } = context;
  const fields = compareFields(before, after, lang);
  const { images } = row;
  const isRewritten = fields.some(({ field }) => field !== 'version');
  return {
    id: idOf(change),
    app: { app_id: name.app_id, title: name.title, is_own: isOwn },
    date: utcDay(row.read_at),
    version: row.version,
    fields,
    screenshots:
      images?.screenshots_added == null || images.screenshots_removed == null
        ? null
        : { added: images.screenshots_added, removed: images.screenshots_removed },
    icon_changed: images?.icon_changed ?? null,
    rating_before: previous.score,
    rating_after: row.score,
    effects,
    texts: isOwn && isRewritten ? textsOf(after) : null,
    texts_before: isOwn && isRewritten ? textsOf(before) : null,
  };
}

const textsOf = ({ title, subtitle, description }: KnownVersion) => ({ title, subtitle, description });
