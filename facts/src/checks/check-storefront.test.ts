import { checkStorefront } from './check-storefront.ts';

test('the storefront of a request gets its canonical spelling', () => {
  expect(checkStorefront({ store: 'ITUNES', country: 'us', lang: 'en-us' })).toEqual({
    store: 'ITUNES',
    country: 'US',
    lang: 'en-US',
  });
});

test('a refusal names every unknown part of the storefront', () => {
  expect(() => checkStorefront({ store: 'GPLAY', country: 'CN', lang: 'xx' })).toThrow(
    expect.objectContaining({
      code: 'INVALID_PARAMS',
      message: 'country is not a country of GPLAY; lang must be a BCP 47 language such as en-US',
    }),
  );
  expect(() => checkStorefront(null)).toThrow('store must be ITUNES or GPLAY');
  expect(() => checkStorefront({ store: 'UNSPECIFIED', country: 'US', lang: 'en' })).toThrow('store must be');
});

test('a language gets its canonical tag', () => {
  const alias = { store: 'GPLAY', country: 'us', lang: 'EN' } as const;
  expect(checkStorefront(alias)).toEqual({ store: 'GPLAY', country: 'US', lang: 'en-US' });
});
