import type { Store } from './store.ts';

const appStoreCountries =
  'AE AF AG AI AL AM AO AR AT AU AZ BA BB BE BF BG BH BJ BM BN BO BR BS BT BW BY BZ CA CD CG CH CI CL CM CN CO CR CV CY CZ DE DK DM DO DZ EC EE EG ES FI FJ FM FR GA GB GD GE GH GM GR GT GW GY HK HN HR HU ID IE IL IN IQ IS IT JM JO JP KE KG KH KN KR KW KY KZ LA LB LC LK LR LT LU LV LY MA MD ME MG MK ML MM MN MO MR MS MT MU MV MW MX MY MZ NA NE NG NI NL NO NP NR NZ OM PA PE PG PH PK PL PT PW PY QA RO RS RU RW SA SB SC SE SG SI SK SL SN SR ST SV SZ TC TD TH TJ TM TN TO TR TT TW TZ UA UG US UY UZ VC VE VG VN VU XK YE ZA ZM ZW';
const googlePlayCountries =
  'AE AG AI AL AM AO AR AT AU AW AZ BA BB BD BE BF BG BH BJ BM BN BO BR BS BT BW BY BZ CA CD CG CH CI CL CM CO CR CV CY CZ DE DK DM DO DZ EC EE EG ES ET FI FJ FM FR GA GB GD GE GH GR GT GW GY HK HN HR HT HU ID IE IL IN IQ IS IT JM JO JP KE KG KH KI KN KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MD ME MG MK ML MM MN MO MT MU MV MW MX MY MZ NA NE NG NI NL NO NP NZ OM PA PE PG PH PK PL PR PT PW PY QA RO RS RU RW SA SB SC SE SG SI SK SL SN SR ST SV SZ TC TD TG TH TJ TM TN TO TR TT TW TZ UA UG US UY UZ VC VE VG VN VU YE ZA ZM ZW';

/** The countries of each store, as ISO 3166-1 alpha-2 in upper case. */
export const countries: Readonly<Record<Store, ReadonlySet<string>>> = {
  ITUNES: new Set(appStoreCountries.split(' ')),
  GPLAY: new Set(googlePlayCountries.split(' ')),
};

/** Two ASCII letters. Some other letters become ASCII in upper case, such as the dotless i. */
export const countryPattern = '^[A-Za-z]{2}$';
const shape = new RegExp(countryPattern);

/** The canonical spelling of a country; null when the store does not operate there. Accepts any letter case. */
export function canonicalCountry(store: Store, country: string): string | null {
  if (!shape.test(country)) return null;
  const canonical = country.toUpperCase();
  return countries[store].has(canonical) ? canonical : null;
}
