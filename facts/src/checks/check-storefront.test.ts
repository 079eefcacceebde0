import { checkStorefront } from './check-storefront.ts';

test('a storefront of a request becomes canonical', () => {
  expect(checkStorefront({ store: 'ITUNES', country: 'us', lang: 'en-us' })).toEqual({
    store: 'ITUNES',
    country: 'US',
    lang: 'en-US',
  });
});

test('a refused storefront names every part that is unknown', () => {
  expect(() => checkStorefront({ store: 'GPLAY', country: 'CN', lang: 'xx' })).toThrow(
    expect.objectContaining({
      code: 'INVALID_PARAMS',
      message: 'country is not a country of GPLAY; lang must be a BCP 47 language such as en-US',
    }),
  );
  expect(() => checkStorefront(null)).toThrow('store must be ITUNES or GPLAY');
  expect(() => checkStorefront({ store: 'UNSPECIFIED', country: 'US', lang: 'en' })).toThrow('store must be');
});
