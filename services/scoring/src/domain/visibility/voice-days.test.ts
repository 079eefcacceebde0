import type { Basket } from './basket.ts';
import { type DayPages, newestVoice, voiceDays } from './voice-days.ts';

type Pages = Record<string, readonly string[]>;

const pagesOn = (day: string, pages: Pages): DayPages => ({ day, pageOf: (keyword) => pages[keyword] });

const basketOf = (keywords: readonly string[], fromDay = '2026-03-01', version = 1): Basket => ({
  version,
  from_day: fromDay,
  month: fromDay.slice(0, 7),
  is_fixed: true,
  terms: keywords.map((keyword) => ({ keyword, traffic: 50 })),
});

const window = { from: '2026-03-01', to: '2026-03-12' };
const sharesOf = async (days: readonly DayPages[], baskets: readonly Basket[], appIds = ['own', 'rival']) =>
  (await voiceDays(window, { days, baskets }, appIds)).map(({ date, terms_read, shares }) => [
    date,
    terms_read,
    ...shares,
  ]);

test('each day is computed from its pages; a page that was not read again counts for two more days', async () => {
  const days = [
    pagesOn('2026-03-08', { notes: ['own'], memo: ['rival'] }),
    pagesOn('2026-03-09', { notes: ['rival'] }),
  ];
  expect(await sharesOf(days, [basketOf(['notes', 'memo'])])).toEqual([
    ['2026-03-08', 2, 0.5, 0.5],
    ['2026-03-09', 2, 0, 1],
    ['2026-03-10', 2, 0, 1],
    // Of half of the searches too little is known.
    ['2026-03-11', 1, null, null],
    ['2026-03-12', 0, null, null],
  ]);
});

test('the days begin with the first that was read, or with the window when pages from before it are known', async () => {
  const baskets = [basketOf(['notes'])];
  expect(await sharesOf([], baskets)).toEqual([]);
  const days = [pagesOn('2026-02-20', { notes: ['own'] }), pagesOn('2026-03-12', { notes: ['own'] })];
  const rows = await sharesOf(days, baskets);
  expect(rows).toHaveLength(12);
  expect(rows[0]).toEqual(['2026-03-01', 0, null, null]);
  expect(rows.at(-1)).toEqual(['2026-03-12', 1, 1, 0]);
});

test('the newest day shows the requested apps and the ten largest, with the change over seven days', () => {
  const many = Array.from({ length: 15 }, (_, index) => `app.${index}`);
  const days = [
    pagesOn('2026-03-04', { notes: ['rival', 'own'] }),
    pagesOn('2026-03-11', { notes: [...many, 'own'] }),
  ];
  const newest = newestVoice(window, { days, baskets: [basketOf(['notes'])] }, ['own', 'rival']);
  expect(newest).toMatchObject({ date: '2026-03-11', terms: 1, terms_read: 1, oldest_page: '2026-03-11' });
  expect(newest?.apps.map(({ app_id: appId }) => appId)).toEqual(['own', 'rival', ...many.slice(0, 10)]);
  const [own, rival, first] = newest?.apps ?? [];
  expect(own?.change_7d).toBeCloseTo((own?.share ?? 0) - 0.18 / 0.48, 12);
  expect(rival?.share).toBe(0);
  expect(rival?.change_7d).toBeCloseTo(-0.3 / 0.48, 12);
  expect(first?.change_7d).toBe(first?.share);
});

test('a change is null unless both days were read, and compares them over the terms of the newer one', () => {
  const before = pagesOn('2026-03-04', { notes: ['own'], memo: ['rival'] });
  const newest = pagesOn('2026-03-11', { notes: ['own'], memo: ['rival'] });
  const baskets = [basketOf(['memo']), basketOf(['notes', 'memo'], '2026-03-10', 2)];
  const changeOf = (days: readonly DayPages[]) =>
    newestVoice(window, { days, baskets }, ['own'])?.apps[0]?.change_7d;
  expect(changeOf([before, newest])).toBe(0);
  expect(changeOf([pagesOn('2026-03-04', { memo: ['rival'] }), newest])).toBeNull();
  expect(changeOf([newest])).toBeNull();
});

test('a day after the window, or before it, is not the newest one; its oldest page may be two days older', () => {
  const baskets = [basketOf(['notes', 'memo'])];
  const days = [
    pagesOn('2026-03-09', { memo: ['own'] }),
    pagesOn('2026-03-11', { notes: ['own'] }),
    pagesOn('2026-03-20', { notes: ['own'] }),
  ];
  expect(newestVoice(window, { days, baskets }, [])).toMatchObject({
    date: '2026-03-11',
    oldest_page: '2026-03-09',
  });
  expect(newestVoice({ from: '2026-03-12', to: '2026-03-15' }, { days, baskets }, [])).toBeNull();
});
