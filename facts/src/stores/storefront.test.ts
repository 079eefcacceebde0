import { parseStorefront } from './storefront.ts';

test('a storefront gets its canonical spelling, or every unknown part is named', () => {
  expect(parseStorefront({ store: 'GPLAY', country: 'br', lang: 'pt-br' })).toEqual({
    storefront: { store: 'GPLAY', country: 'BR', lang: 'pt-BR' },
  });
  expect(parseStorefront({ store: 'GPLAY', country: 'CN', lang: 'xx' })).toEqual({
    problems: { country: 'is not a country of GPLAY', lang: expect.stringMatching(/BCP 47/) },
  });
  expect(parseStorefront({ store: 'ITUNES', country: 'CN', lang: '' })).toEqual({
    problems: { lang: expect.any(String) },
  });
  const unknownStore = { problems: { store: 'must be ITUNES or GPLAY' } };
  expect(parseStorefront({ store: 'itunes', country: 'US', lang: 'en' })).toEqual(unknownStore);
  expect(parseStorefront(null)).toEqual(unknownStore);
});
