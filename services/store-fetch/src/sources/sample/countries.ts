import { sampleContent } from './content.ts';

/** Ratings given in a country, relative to the United States. */
export function storeSize(country: string): number {
  return sampleContent().countries.sizes[country] ?? 0.006;
}

const dollars = { currency: 'USD', perDollar: 1, step: 0.01 };

/**
 * A US price as the country's store shows it: the same amount in euros, converted in the currencies of countries.json,
 * else US dollars.
 */
export function localPrice(price: number, country: string): { price: number; currency: string } {
  const { euroCountries, currencies } = sampleContent().countries;
  if (euroCountries.has(country)) return { price, currency: 'EUR' };
  const { currency, perDollar, step } = currencies[country] ?? dollars;
  const decimals = step < 1 ? 2 : 0;
  return { price: Number((Math.round((price * perDollar) / step) * step).toFixed(decimals)), currency };
}
