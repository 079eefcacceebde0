/** The home countries of sample developers, with their share of all apps. */
export const homeCountries = [
  ['US', 0.44],
  ['DE', 0.11],
  ['JP', 0.1],
  ['GB', 0.08],
  ['FR', 0.07],
  ['BR', 0.07],
  ['ES', 0.05],
  ['IN', 0.04],
  ['KR', 0.04],
] as const;

export type HomeCountry = (typeof homeCountries)[number][0];

/** Where developers that do not sell everywhere sell, in addition to their home country. */
const regions: Readonly<Record<HomeCountry, string>> = {
  US: 'US CA GB AU NZ IE MX PH ZA SG',
  GB: 'GB IE US CA AU NZ ZA IN',
  DE: 'DE AT CH LI LU NL BE FR IT ES PL CZ DK SE',
  FR: 'FR BE CH LU CA DE ES IT MA SN TN',
  ES: 'ES MX AR CO CL PE UY EC PT BO',
  BR: 'BR PT AR CL CO MX UY PY AO MZ',
  JP: 'JP KR TW HK SG TH',
  IN: 'IN LK BD NP AE SG MY',
  KR: 'KR JP TW VN TH ID',
};

/** Whether a developer that sells only in the region around its home country sells in `country`. */
export function isInRegion(home: HomeCountry, country: string): boolean {
  return regions[home].split(' ').includes(country);
}

const sizes: Readonly<Record<string, number>> = {
  US: 1,
  CN: 0.4,
  JP: 0.3,
  IN: 0.26,
  GB: 0.24,
  DE: 0.22,
  BR: 0.22,
  FR: 0.18,
  KR: 0.16,
  CA: 0.14,
  MX: 0.13,
  IT: 0.13,
  RU: 0.12,
  ES: 0.12,
  AU: 0.1,
  ID: 0.09,
  TR: 0.08,
  NL: 0.06,
  PL: 0.06,
  TW: 0.06,
  TH: 0.05,
  VN: 0.05,
  AR: 0.05,
  SA: 0.04,
  SE: 0.04,
  CH: 0.04,
  AT: 0.03,
  BE: 0.03,
  PH: 0.04,
  MY: 0.03,
  CO: 0.03,
  CL: 0.03,
  PT: 0.025,
  DK: 0.025,
  NO: 0.025,
  FI: 0.02,
  IE: 0.02,
  NZ: 0.02,
  ZA: 0.02,
  SG: 0.02,
  HK: 0.025,
  AE: 0.02,
  IL: 0.02,
  UA: 0.03,
  CZ: 0.02,
  GR: 0.015,
  RO: 0.02,
  HU: 0.015,
};

/** Ratings given in a country, relative to the United States. All countries that are not listed are equally small. */
export function storeSize(country: string): number {
  return sizes[country] ?? 0.006;
}

/** The currency, its amount per US dollar, and the `step` to whose multiples prices are rounded. */
const currencies: Readonly<Record<string, readonly [currency: string, perDollar: number, step: number]>> = {
  GB: ['GBP', 0.9, 0.01],
  JP: ['JPY', 150, 10],
  BR: ['BRL', 5, 0.1],
  IN: ['INR', 85, 1],
  KR: ['KRW', 1300, 100],
  CA: ['CAD', 1.4, 0.01],
  AU: ['AUD', 1.5, 0.01],
  CH: ['CHF', 1, 0.01],
  MX: ['MXN', 20, 1],
  CN: ['CNY', 7, 1],
  PL: ['PLN', 4.5, 0.01],
  SE: ['SEK', 11, 1],
  NO: ['NOK', 11, 1],
  DK: ['DKK', 7, 1],
  TR: ['TRY', 40, 0.01],
};
const euroCountries = new Set('AT BE CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK'.split(' '));

/**
 * A US price as the country's store shows it: the same amount in euros, a converted amount in the currencies above, and
 * US dollars everywhere else.
 */
export function localPrice(dollars: number, country: string): { price: number; currency: string } {
  if (euroCountries.has(country)) return { price: dollars, currency: 'EUR' };
  const [currency, perDollar, step] = currencies[country] ?? ['USD', 1, 0.01];
  const decimals = step < 1 ? 2 : 0;
  return { price: Number((Math.round((dollars * perDollar) / step) * step).toFixed(decimals)), currency };
}
