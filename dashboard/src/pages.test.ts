import * as texts from '#texts';
import { waysTo } from './pages.ts';

const addressesOf = (appId: string | null) => waysTo(appId).map(({ href }) => href);

test('without an app the navigation leads to the pages of the account', () => {
  expect(addressesOf(null)).toEqual([
    '/dashboard',
    '/dashboard/niches',
    '/dashboard/charts',
    '/dashboard/alerts',
    '/dashboard/account',
  ]);
});

test('each way has a name and a letter of its own, which the help lists', () => {
  const ways = waysTo('7');
  expect(ways.find(({ page }) => page === 'simulator')?.href).toBe('/dashboard/apps/7/simulator');
  expect(new Set(ways.map(({ href }) => href)).size).toBe(ways.length);
  const named = ways.filter(({ page }) => page !== 'app').map(({ page }) => page);
  for (const page of named)
    expect([page, texts.nav]).toEqual([page, expect.objectContaining({ [page]: expect.any(String) })]);
  const listed = texts.palette.list.flatMap(([keys]) =>
    [...keys.matchAll(/g (\w)/g)].map(([, letter]) => letter),
  );
  expect(ways.map(({ letter }) => letter).toSorted()).toEqual(listed.toSorted());
});
