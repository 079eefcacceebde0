import { createSampleSource } from '../src/sources/sample/sample-source.ts';
import { describeSource } from './source-contract.ts';

const now = new Date('2026-11-21T15:30:00Z');
const us = (store: 'ITUNES' | 'GPLAY') => ({ store, country: 'US', lang: 'en-US' });

describeSource('the sample', {
  open: async () => ({ source: createSampleSource({ now: () => now }), stop: async () => {} }),
  now: () => now,
  answersAs: { ITUNES: 'sample', GPLAY: 'sample' },
  hasPastDays: true,
  shelves: {
    ITUNES: {
      storefront: us('ITUNES'),
      term: 'photo editor',
      prefix: 'pho',
      chart: { category: 'OVERALL', collection: 'free' },
    },
    GPLAY: {
      storefront: us('GPLAY'),
      term: 'photo editor',
      prefix: 'pho',
      chart: { category: 'OVERALL', collection: 'free' },
    },
  },
});
