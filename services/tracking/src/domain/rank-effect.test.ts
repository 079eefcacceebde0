import { daysBefore } from '@shelfwise/runtime/day';
import { createRandom, type Random } from '@shelfwise/runtime/random';
import { compareRanks, type Groups, type RanksByDay } from './rank-effect.ts';

const day = '2026-03-15';

type RankOn = (offset: number) => number | null | undefined;

const knownDays = new Map<number, string>();

/** The day of an offset. Stories have millions of them. */
function dayAt(offset: number): string {
  const known = knownDays.get(offset) ?? daysBefore(day, -offset);
  knownDays.set(offset, known);
  return known;
}

/** Ranks by days from the change: negative before it. Undefined: not read. */
function ranksOf(days: number, rankOn: RankOn): RanksByDay {
  const ranks = new Map<string, number | null>();
  for (let offset = -days; offset <= days; offset++) {
    const rank = rankOn(offset);
    if (rank !== undefined) ranks.set(dayAt(offset), rank);
  }
  return ranks;
}

const group = (days: number, ...keywords: RankOn[]) => keywords.map((rankOn) => ranksOf(days, rankOn));
const constant = (rank: number | null) => () => rank;
const step = (before: number, after: number) => (offset: number) => (offset < 0 ? before : after);

test('medians over keywords and days; not ranked counts 101; the day of the change does not count', () => {
  const onTheDay = (rankOn: RankOn) => (offset: number) => (offset === 0 ? 1 : rankOn(offset));
  const groups = {
    added: group(7, onTheDay(step(50, 10)), onTheDay(step(60, 20)), onTheDay(step(70, 30))),
    removed: group(7, constant(5), constant(null), constant(null)),
    control: group(7, constant(8), constant(9), constant(10), constant(11)),
  };
  expect(compareRanks(groups, { day, days: 7 })).toEqual({
    added: { keywords: 3, rank_before: 60, rank_after: 20, moved: true },
    removed: { keywords: 3, rank_before: 101, rank_after: 101, moved: false },
    control: { keywords: 4, rank_before: 9.5, rank_after: 9.5, moved: null },
  });
});

test('a step of all keywords has moved, however few its levels', () => {
  const groups = {
    added: group(7, step(40, 5), step(40, 5), step(40, 5)),
    removed: group(7, step(5, 7), step(5, 7), step(5, 7)),
    control: group(7, constant(40), constant(40), constant(40), constant(40)),
  };
  const { added, removed } = compareRanks(groups, { day, days: 7 });
  expect([added.moved, removed.moved]).toEqual([true, true]);
});

test('three keywords beside a control of three are too few to tell a step from chance', () => {
  const control = group(7, constant(40), constant(40), constant(40));
  const movedOf = (added: RanksByDay[]) =>
    compareRanks({ added, removed: [], control }, { day, days: 7 }).added.moved;
  expect(movedOf(group(7, step(40, 5), step(40, 5), step(40, 5)))).toBeNull();
  expect(movedOf(group(7, step(40, 5), step(40, 5), step(40, 5), step(40, 5)))).toBe(true);
  // Read on too few days, the fourth does not count.
  const unread = () => undefined;
  expect(movedOf(group(7, step(40, 5), step(40, 5), step(40, 5), unread))).toBeNull();
  // The days alone tell that nothing moved.
  expect(movedOf(control)).toBe(false);
});

test('what moves as the control does has not moved', () => {
  const moving = group(7, step(50, 10), step(51, 11), step(52, 12));
  const { added } = compareRanks({ added: moving, removed: [], control: moving }, { day, days: 7 });
  expect(added).toEqual({ keywords: 3, rank_before: 51, rank_after: 11, moved: false });
});

test('of under three keywords that were read on 80 % of the days on either side, nothing is said', () => {
  const three = group(7, constant(1), constant(2), constant(3));
  const unread = { rank_before: null, rank_after: null, moved: null };
  const compare = (groups: Partial<Groups<RanksByDay>>) =>
    compareRanks({ added: three, removed: three, control: three, ...groups }, { day, days: 7 });
  expect(compare({ added: three.slice(1) }).added).toEqual({ keywords: 2, ...unread });
  // Without a control the medians are known, and nothing to compare them with.
  expect(compare({ control: [] }).added).toMatchObject({ rank_before: 2, moved: null });
  // 5 of 7 days, then 6 of 7, at least 5.6 being needed.
  const withThird = (third: RankOn) => compare({ added: group(7, constant(1), constant(1), third) }).added;
  const readUntil = (last: number) => (offset: number) => (offset > 0 && offset > last ? undefined : 1);
  expect(withThird(readUntil(5))).toEqual({ keywords: 3, ...unread });
  expect(withThird(readUntil(6))).toMatchObject({ rank_after: 1, moved: false });
  expect(withThird((offset) => (offset < -5 ? undefined : 1))).toMatchObject(unread);
});

test('a keyword that is tracked only since the change moves nothing', () => {
  const steady = [constant(1), constant(2), constant(3), constant(80)];
  const groups = {
    added: group(7, ...steady, (offset) => (offset < 0 ? undefined : null)),
    removed: [],
    control: group(7, constant(40), constant(40), constant(40)),
  };
  expect(compareRanks(groups, { day, days: 7 }).added).toEqual({
    keywords: 5,
    rank_before: 2.5,
    rank_after: 2.5,
    moved: false,
  });
});

/** Ranks that drift, are moved on some days all together, and improve much on the day of a change. */
function storyOf(random: Random, days: number): Groups<RanksByDay> {
  const shocks = new Map<number, number>();
  for (let offset = -days; offset <= days; offset++) shocks.set(offset, random.below(5) === 0 ? 12 : 0);
  const keyword = (gain: number): RankOn => {
    const start = 10 + random.below(60);
    return (offset) => {
      const rank = start + (shocks.get(offset) ?? 0) + random.below(9) - (offset > 0 ? gain : 0) - offset / 2;
      return rank > 100 ? null : Math.max(1, Math.round(rank));
    };
  };
  const many = (count: number, gain: number) =>
    group(days, ...Array.from({ length: count }, () => keyword(gain)));
  return { added: many(5, 25), removed: many(4, -10), control: many(20, 0) };
}

/** Deals the days of all keywords anew, the same for all. */
function permuteDays(groups: Groups<RanksByDay>, random: Random): Groups<RanksByDay> {
  const days = [...(groups.control[0]?.keys() ?? [])].filter((one) => one !== day);
  const order = days
    .map((one) => ({ one, at: random.next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ one }) => one);
  const permute = (ranks: RanksByDay): RanksByDay =>
    new Map(days.map((one, index) => [one, ranks.get(order[index] ?? '') ?? null]));
  const all = (keywords: readonly RanksByDay[]) => keywords.map(permute);
  return { added: all(groups.added), removed: all(groups.removed), control: all(groups.control) };
}

test.each([7, 14, 28])('with the %i days before and after dealt at random, 95 %% have not moved', (days) => {
  const random = createRandom(days);
  const trials = 150;
  let moved = 0;
  let movedAsTold = 0;
  for (let trial = 0; trial < trials; trial++) {
    const story = storyOf(random, days);
    const told = compareRanks(story, { day, days });
    if (told.added.moved) movedAsTold++;
    const { added, removed } = compareRanks(permuteDays(story, random), { day, days });
    moved += Number(added.moved) + Number(removed.moved);
  }
  // Two groups a trial. Of 300 draws at 5 %, more than 27 occur once in 1,000 seeds.
  expect(moved).toBeLessThanOrEqual(27);
  expect(movedAsTold).toBeGreaterThan(0.9 * trials);
});

/** Ranks that do not follow the change: each day up to 3 from the day before, or up to 8 from where they began. */
const unmoved = {
  drift: (random: Random) => (rank: number) => rank + random.below(7) - 3,
  noise: (random: Random, start: number) => () => start + random.below(17) - 8,
};

/** `gain`: of the added keywords, from the day of the change on. */
function unmovedOf(
  random: Random,
  days: number,
  { kind, gain }: { kind: keyof typeof unmoved; gain: number },
) {
  const keyword = (better: number) => {
    const start = 15 + random.below(70);
    const next = unmoved[kind](random, start);
    let rank = start;
    return ranksOf(days, (offset) => {
      rank = next(rank);
      const shown = rank - (offset > 0 ? better : 0);
      return shown > 100 ? null : Math.max(1, shown);
    });
  };
  const many = (count: number, better: number) => Array.from({ length: count }, () => keyword(better));
  return { added: many(6, gain), removed: [], control: many(20, 0) };
}

/** In how many of 100 cases the added keywords moved. */
function countMoved(days: number, story: { kind: keyof typeof unmoved; gain: number }): number {
  const random = createRandom(days);
  const cases = Array.from({ length: 100 }, () => unmovedOf(random, days, story));
  return cases.filter((groups) => compareRanks(groups, { day, days }).added.moved).length;
}

describe.each([7, 14, 28])('over %i days', (days) => {
  test.each(['drift', 'noise'] as const)('%s without a change seldom counts as moved', (kind) => {
    expect(countMoved(days, { kind, gain: 0 })).toBeLessThanOrEqual(10);
  });

  test.each([
    ['drift', 30],
    ['noise', 8],
  ] as const)('in %s, a gain of %i ranks of the group alone is found', (kind, gain) => {
    expect(countMoved(days, { kind, gain })).toBeGreaterThan(90);
  });
});

test('the same ranks always give the same answer', () => {
  const story = storyOf(createRandom(3), 14);
  expect(compareRanks(story, { day, days: 14 })).toEqual(compareRanks(story, { day, days: 14 }));
});
