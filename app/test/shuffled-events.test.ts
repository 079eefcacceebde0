import fc from 'fast-check';
import { createAuditingHarness } from '../../services/scoring/test/start-auditing.ts';
import { createHarness, type Tracking, us } from '../../services/tracking/test/start-tracking.ts';
import { callWithin } from '../../testing/call-within.ts';
import { createManualClock } from '../../testing/manual-clock.ts';
import { anyRandom, createShufflingBus, type Random } from '../../testing/shuffling-bus.ts';

const { startTracking, clear: clearTracking } = createHarness();
const { startAuditing, clear: clearScoring } = createAuditingHarness();

const appIds = ['1001', '1002'];
const keywords = ['camera', 'photo'];
const anyCommand = fc.record({
  command: fc.constantFrom(
    'track',
    'track',
    'untrack',
    'trackKeyword',
    'trackKeyword',
    'untrackKeyword',
    'nextDay',
  ),
  accountId: fc.constantFrom('ann', 'ben'),
  appId: fc.constantFrom(...appIds),
  keyword: fc.constantFrom(...keywords),
  /** Which copy of tracking gets the call. */
  copy: fc.constantFrom(0, 1),
});

type Command = typeof anyCommand extends fc.Arbitrary<infer Value> ? Value : never;

/** Calls tracking as a user does. Commands that make no sense are refused. */
async function run({ command, accountId, appId, keyword, copy }: Command, copies: Tracking[]): Promise<void> {
  const tracking = copies[copy] ?? copies[0];
  if (!tracking) return;
  const { client } = tracking;
  const account = { account_id: accountId };
  const listing = await tracking.connection.collection('listings').findOne({ app_id: appId });
  const market = await tracking.connection.collection('keyword_markets').findOne({ keyword });
  const id = Number(listing?._id ?? 99);
  const keywordId = Number(market?._id ?? 99);
  if (command === 'nextDay') for (const { clock } of copies) clock.advance(86_400_000);
  else if (command === 'track')
    await client.trackApplication({ ...account, storefront: us, app_id: appId }, callWithin());
  else if (command === 'untrack') await client.untrackApplication({ ...account, id }, callWithin());
  else if (command === 'trackKeyword')
    await client.trackKeywords({ ...account, app_id: id, storefront: us, keywords: [keyword] }, callWithin());
  else await client.untrackKeyword({ ...account, app_id: id, keyword_id: keywordId }, callWithin());
}

/** Two copies of tracking on one database; the clock of the second is an hour behind. The first one publishes. */
async function publishOf(commands: readonly Command[]): Promise<Tracking> {
  await clearTracking();
  const first = await startTracking();
  const clock = createManualClock('2026-03-10T08:00:00Z');
  const second = await startTracking({ database: first.database, clock, hasBus: false });
  for (const copy of [first, second]) showNewTitleEachDay(copy);
  for (const command of commands) {
    await run(command, [first, second]).catch((error: { code?: unknown }) => {
      if (typeof error.code !== 'string') throw error;
    });
  }
  await second.stop();
  await first.stop();
  return first;
}

function showNewTitleEachDay({ store: { answers }, clock }: Tracking): void {
  const { getListing } = answers;
  answers.getListing = async (...call) => {
    const { listing, reading } = await getListing(...call);
    return {
      reading,
      listing: listing && { ...listing, title: `Title of ${clock.at.toISOString().slice(0, 10)}` },
    };
  };
}

async function consumeShuffled({ bus: published, clock }: Tracking, random: Random) {
  await clearScoring();
  const scoring = await startAuditing();
  scoring.clock.moveTo(clock.at);
  const copies = [scoring, scoring.startCopy()];
  const bus = createShufflingBus({ random });
  for (const copy of copies) await copy.subscribe(bus);
  await bus.publish(published.published);
  await bus.deliverAll(async () => {
    if (random() < 0.1) await copies[random() < 0.5 ? 0 : 1]?.runDue();
  });
  return scoring;
}

test('whatever users do over two copies of tracking, scoring ends with what tracking has, in any order across topics', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyCommand, { minLength: 8, maxLength: 24 }),
      anyRandom,
      async (commands, random) => {
        const tracking = await publishOf(commands);
        const scoring = await consumeShuffled(tracking, random);
        const tracked = async (collection: string) =>
          (await tracking.rows(collection)).filter(({ active }) => active);
        const known = async (collection: string) =>
          (await scoring.rows(collection)).filter(({ active }) => active);

        const apps = await tracked('tracked_apps');
        expect((await known('watchers')).map(({ _id }) => _id).sort()).toEqual(
          apps.map((row) => `${row.account_id}:${row.listing_id}`).sort(),
        );
        expect((await known('tracked_terms')).map(({ _id, keyword }) => [_id, keyword]).sort()).toEqual(
          (await tracked('tracked_keywords'))
            .map((row) => [`${row.account_id}:${row.listing_id}:${row.keyword_id}`, row.keyword])
            .sort(),
        );
        const listings = await tracking.rows('listings');
        expect(
          (await scoring.rows('listings'))
            .map(({ _id, revision, content }) => [_id, revision, content.title])
            .sort(),
        ).toEqual(listings.map(({ _id, revision, title }) => [_id, revision, title]).sort());
      },
    ),
    { numRuns: 8, endOnFailure: true },
  );
});
