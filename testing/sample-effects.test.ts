import { daysBefore, daysOfWindow } from '@shelfwise/runtime/day';
import { createRandom, type Random } from '@shelfwise/runtime/random';
import type { SampleApp } from '../services/store-fetch/src/sources/sample/apps.ts';
import { sampleContent } from '../services/store-fetch/src/sources/sample/content.ts';
import { dayOf } from '../services/store-fetch/src/sources/sample/day.ts';
import { releaseShownOn } from '../services/store-fetch/src/sources/sample/releases.ts';
import { shareSampleCatalog } from '../services/store-fetch/test/share-sample-catalog.ts';
import { compareSearchedWords, createFormsOf } from '../services/tracking/src/domain/field-changes.ts';
import {
  type EffectDeps,
  type OwnChange,
  readEffects,
} from '../services/tracking/src/listings/read-effects.ts';

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

const isPlanning = (topic: { theme: string }) => topic.theme === 'planning';
const keywords = [
  ...new Set(
    sampleContent()
      .topics.filter(isPlanning)
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

/** Whether the keywords with added words moved, and those with removed words, for 7 and 14 days. Left out: not known. */
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

/** Each word of at least three of the keywords that leaves four others to compare with, as if it had come on some day. */
function pretend(app: SampleApp, random: Random): Story[] {
  const tracked = moving(app);
  const formsOfEach = tracked.map(({ keyword }) => new Set(formsOf(keyword)));
  const words = [...new Set(formsOfEach.flatMap((forms) => [...forms]))].filter((word) => {
    const count = formsOfEach.filter((forms) => forms.has(word)).length;
    return count >= 3 && tracked.length - count >= 4;
  });
  return words.map((word) => ({
    appId: app.appId,
    tracked,
    change: {
      id: word,
      day: random.pick(changeDays),
      words: { added: new Set([word]), removed: new Set() },
    },
  }));
}

test('of changes in the sample, in 95 % of the cases nothing moved once its days are dealt at random', async () => {
  const random = createRandom(1);
  const asRead: boolean[] = [];
  const dealt: boolean[] = [];
  for (const story of apps.flatMap(storyOf)) {
    const moved = await moves(story);
    asRead.push(...moved);
    if (moved.length === 0) continue;
    for (let trial = 0; trial < 15; trial++) dealt.push(...(await moves(story, deal(random))));
  }
  // The search of the sample follows the words of a title.
  expect(shareOfMoved(asRead)).toBeGreaterThan(0.5);
  expect(dealt.length).toBeGreaterThan(200);
  expect(shareOfMoved(dealt)).toBeLessThanOrEqual(0.05);
});

test('where no app of the sample changed a text, nothing moved in 95 % of the cases', async () => {
  const random = createRandom(2);
  const [first = '', last = ''] = [days[0], days.at(-1)];
  const unchanged = apps.filter(
    (app) => isPlanning(app.brand.topic) && rewriteOn(app, first) === rewriteOn(app, last),
  );
  const all: boolean[] = [];
  for (const story of unchanged.flatMap((app) => pretend(app, random))) all.push(...(await moves(story)));
  expect(all.length).toBeGreaterThan(200);
  expect(shareOfMoved(all)).toBeLessThanOrEqual(0.05);
});
