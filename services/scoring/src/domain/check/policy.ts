import type { ListingFieldKey } from '@shelfwise/facts/stores/listing-fields';
import type { Store } from '@shelfwise/facts/stores/store';
import type { WarningLevel } from './check-warning.ts';

/** Words that a store does not want in a listing, by their claim; names are those of the public API. */
export type PolicyRule = 'price' | 'ranking' | 'play-program' | 'call-to-action' | 'kids' | 'rival-platform';

type FieldPolicy = Readonly<Partial<Record<PolicyRule, WarningLevel>>>;

const appStoreName: FieldPolicy = {
  price: 'warning',
  ranking: 'warning',
  'call-to-action': 'warning',
  kids: 'warning',
  'rival-platform': 'warning',
};

/**
 * The level of each rule, by store and field; a rule that is not listed does not apply there. Google Play publishes
 * its words and refuses them in the name; in the short description they cost promotion. The App Store publishes no list, so
 * a reviewer decides. (docs/metadata-check.md)
 */
export const policies: Readonly<Record<Store, Readonly<Partial<Record<ListingFieldKey, FieldPolicy>>>>> = {
  ITUNES: { title: appStoreName, subtitle: appStoreName },
  GPLAY: {
    title: {
      price: 'error',
      ranking: 'error',
      'play-program': 'error',
      'call-to-action': 'error',
      kids: 'error',
      'rival-platform': 'warning',
    },
    subtitle: {
      price: 'warning',
      ranking: 'warning',
      'play-program': 'warning',
      'call-to-action': 'warning',
      kids: 'warning',
      'rival-platform': 'warning',
    },
    description: { 'rival-platform': 'warning' },
  },
};
