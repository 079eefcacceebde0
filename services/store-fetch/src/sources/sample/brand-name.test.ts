import { createBrandNames } from './brand-name.ts';
import { createBrands } from './brands.ts';
import { sampleContent } from './content.ts';

const brands = createBrands(sampleContent().topics);

test('no two brands share a name, ignoring spaces and letter case', () => {
  const slugs = brands.map(({ slug }) => slug);
  expect(new Set(slugs).size).toBe(slugs.length);
});

test('a taken name is not given again, even for the same seed', () => {
  const name = createBrandNames();
  const names = Array.from({ length: 200 }, () => name(['Penny', 'Coin'], { seed: 7, game: false }));
  expect(new Set(names).size).toBe(200);
});

test('names of well-known apps are never given', () => {
  const known =
    /^(?:instagram|evernote|notion|duolingo|spotify|canva|trello|strava|headspace|tinder|whatsapp|tiktok|youtube|candycrush|minecraft|roblox|netflix|paypal|venmo|uber|airbnb)$/;
  expect(brands.map(({ slug }) => slug).filter((slug) => known.test(slug))).toEqual([]);
});

test('names leave room for a term in a title of 30 characters', () => {
  for (const { name } of brands) expect(name.length).toBeLessThanOrEqual(23);
});
