import { daysBefore, daysOfWindow } from '@shelfwise/runtime/day';
import { createRandom, type Random } from '@shelfwise/runtime/random';
import type { SampleApp } from '../services/store-fetch/src/sources/sample/apps.ts';
import { sampleContent } from '../services/store-fetch/src/sources/sample/content.ts';
import { dayOf } from '../services/store-fetch/src/sources/sample/day.ts';
import { releaseShownOn } from '../services/store-fetch/src/sources/sample/releases.ts';
import { shareSampleCatalog } from '../services/store-fetch/test/share-sample-catalog.ts';
import { compareSearchedWords, createFormsOf } from '../services/tracking/src/domain/field-changes.ts';
import { type EffectDeps, type OwnChange, readEffects } from '../services/tracking/src/listings/read-effects.ts';

const storefront = { store: 'ITUNES', country: 'US', lang: 'en-US' } as const;
const formsOf = createFormsOf(storefront.lang);
/** The longest comparison: an index of the sample for a day takes 50 ms. */
const span = 14;
const days = daysOfWindow('2026-10-01', '2026-11-12');
/** Those with all days before and after them. */
const changeDays = days.slice(span, -span);

let now = new Date(0);
const catalog = shareSampleCatalog({ now: () => now });
const onDay = <Answer>(day: string, read: () => Answer): Answer => {
  now = new Date(`${day}T12:00:00Z`);
  return read();
};

const keywords = [
  ...new Set(
    sampleContent()
      .topics.filter(({ theme }) => theme === 'planning')
      .flatMap(({ terms, subtopics }) => [...terms.en, ...subtopics.flatMap((part) => part.terms.en)]),
  ),
];
/** By the index of the day, then of the keyword. */
const pages = days.map((day) =>
  onDay(day, () =>
    keywords.map((keyword) => catalog.search(storefront, keyword, 100).map(({ app_id: id }) => id)),
  ),
);
const ranked = new Set(pages.flat(2));
const apps = catalog.apps(storefront.store).filter(({ appId }) => ranked.has(appId));

/** An app with the keywords that it tracks, and a change of its texts. */
type Story = { appId: string; tracked: { keyword_id: number; keyword: string }[]; change: OwnChange };

/** Those for which its rank is not the same on all days: others never move. */
function moving({ appId }: SampleApp): Story['tracked'] {
  const ranksOf = (index: number) => new Set(pages.map((ofDay) => ofDay[index]?.indexOf(appId)));
  return keywords
    .map((keyword, index) => ({ keyword_id: index, keyword }))
    .filter(({ keyword_id: index }) => ranksOf(index).size > 1);
}

const rewriteOn = (app: SampleApp, day: string) => releaseShownOn(app, dayOf(day))?.rewrite;

/** The first change of its texts with all days before and after it. */
function storyOf(app: SampleApp): Story[] {
  const { appId } = app;
  const textsOn = (day: string) => onDay(day, () => catalog.listing(storefront, appId));
  const day = changeDays.find((one) => {
    const before = rewriteOn(app, daysBefore(one, 1));
    return before !== undefined && before !== rewriteOn(app, one);
  });
  if (day === undefined) return [];
  const words = compareSearchedWords(textsOn(daysBefore(day, 1)), textsOn(day), { ...storefront, formsOf });
  return [{ appId, tracked: moving(app), change: { id: appId, day, words } }];
}

const stories = apps.flatMap(storyOf);

/** As tracking reads them. On a day it finds the pages of the day at the index in `dealt`. */
function toDeps({ tracked }: Story, dealt: readonly number[]): EffectDeps {
  return {
    trackedKeywords: { listOfApp: async () => tracked },
    snapshots: {
      readBetween: async (ids, { from, to }, read) =>
        new Map(
          ids.map((id) => {
            const shown = days.map((day, at) => [day, pages[dealt[at] ?? 0]?.[id] ?? []] as const);
            const inWindow = shown.filter(([day]) => day >= from && day <= to);
            return [id, new Map(inWindow.map(([day, page]) => [day, read(page)] as const))] as const;
          }),
        ),
    },
  };
}

const inOrder = days.map((_, index) => index);

/** Whether the keywords with added words moved, and those with removed words, for 7 and 14 days; without those of which it is not known. */
async function moves(story: Story, dealt = inOrder): Promise<boolean[]> {
  const { appId, change } = story;
  const effects = await readEffects(
    toDeps(story, dealt),
    {
      app: { account_id: 'account', listing_id: 1 },
      appId,
      formsOf,
      today: daysBefore(change.day, -span),
      oldestDay: days[0] ?? '',
      around: [],
    },
    [change],
    new AbortController().signal,
  );
  return (effects.get(change.id) ?? [])
    .flatMap(({ added, removed }) => [added?.moved, removed?.moved])
    .filter((moved) => moved != null);
}

const shareOfMoved = (all: readonly boolean[]) => all.filter(Boolean).length / all.length;

/** All days in another order, the same for all keywords. */
function deal(random: Random): number[] {
  const drawn = inOrder.map((index) => ({ index, at: random.next() }));
  return drawn.sort((one, other) => one.at - other.at).map(({ index }) => index);
}

test('with the days of the sample dealt at random, 95 % of the changes have not moved ranks', async () => {
  const random = createRandom(1);
  const asRead: boolean[] = [];
  const dealt: boolean[] = [];
  for (const story of stories) {
    asRead.push(...(await moves(story)));
    for (let trial = 0; trial < 10; trial++) dealt.push(...(await moves(story, deal(random))));
  }
  expect(shareOfMoved(asRead)).toBeGreaterThan(0.2);
  expect(dealt.length).toBeGreaterThan(200);
  expect(shareOfMoved(dealt)).toBeLessThanOrEqual(0.05);
});

test('in the days of the sample as they are, 95 % of the changes that no app made have not moved ranks', async () => {
  const random = createRandom(2);
  const unchanged = apps.filter(
    (app) => rewriteOn(app, days[0] ?? '') === rewriteOn(app, days.at(-1) ?? ''),
  );
  const all: boolean[] = [];
  for (const app of unchanged.slice(0, 100)) {
    const { words } = random.pick(stories).change;
    const change = { id: app.appId, day: random.pick(changeDays), words };
    all.push(...(await moves({ appId: app.appId, tracked: moving(app), change })));
  }
  expect(all.length).toBeGreaterThan(100);
  expect(shareOfMoved(all)).toBeLessThanOrEqual(0.05);
});
