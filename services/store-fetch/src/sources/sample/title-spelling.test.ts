import { shareSampleCatalog } from '../../../test/share-sample-catalog.ts';
import { capitalizeAbbreviations, inTitle } from './title-spelling.ts';

test.each([
  ['abc for kids', 'ABC for Kids'],
  ['couch to 5k', 'Couch to 5K'],
  ['qr code reader', 'QR Code Reader'],
  ['learn to read', 'Learn to Read'],
])('the English title of "%s" is "%s"', (term, title) => {
  expect(inTitle(capitalizeAbbreviations(term), 'every word')).toBe(title);
});

test('letters inside a word are not an abbreviation', () => {
  for (const text of ['guía', 'tvåa', 'guide', 'maison', 'qrs'])
    expect(capitalizeAbbreviations(text)).toBe(text);
});

test.each(['en-US', 'de-DE', 'fr-FR', 'es-ES', 'pt-BR'])(
  'titles in %s write abbreviations in capitals',
  (lang) => {
    const catalogue = shareSampleCatalog({ now: () => new Date('2026-11-21T12:00:00Z') });
    const storefront = { store: 'ITUNES', country: 'US', lang } as const;
    const titles = ['vpn', 'pdf', 'qr', 'abc'].flatMap((term) =>
      catalogue.search(storefront, term, 200).map(({ title }) => title),
    );
    expect(titles.filter((title) => /\b(?:VPN|PDF|QR)\b/.test(title ?? '')).length).toBeGreaterThan(10);
    expect(titles.filter((title) => /\b(?:Vpn|vpn|Pdf|pdf|Qr|qr|Abc|abc)\b/.test(title ?? ''))).toEqual([]);
  },
);
