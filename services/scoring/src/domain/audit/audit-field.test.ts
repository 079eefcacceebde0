import { wordsOf } from '@shelfwise/facts/text/words';
import { auditFields } from './audit-field.ts';

const storefront = { store: 'ITUNES', country: 'US', lang: 'en-US' } as const;
const texts = {
  title: 'Levels 1,000',
  subtitle: '',
  description: 'More than 1,000 levels.',
  kw_field: '2048,1010,puzzle',
};

test('each entry of the keywords field is split into words on its own, numbers included', () => {
  const field = auditFields(storefront, texts).find(({ key }) => key === 'kw_field');
  expect(wordsOf(field?.readable ?? '', 'en')).toEqual(['2048', '1010', 'puzzle']);
  expect(field?.text).toBe('2048,1010,puzzle');
});

test('a number in running text stays whole', () => {
  const title = auditFields(storefront, texts).find(({ key }) => key === 'title');
  expect(wordsOf(title?.readable ?? '', 'en')).toEqual(['levels', '1,000']);
});
