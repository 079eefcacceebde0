import { collections, isCategory, overallCategory } from '@shelfwise/facts/stores/categories';
import { isStore, type Store } from '@shelfwise/facts/stores/store';
import { z } from 'zod';

export const collection = z
  .enum(collections)
  .meta({ description: 'What it ranks: free apps, paid ones, or all by revenue.', examples: ['free'] });

const categoryForm = /^[A-Za-z0-9_]{1,64}$/;
const notACategory = `must be ${overallCategory} or a category of the store: GET /api/v1/top-charts/categories lists them`;

export const categoryKey = z
  .string()
  .regex(categoryForm, notACategory)
  .meta({
    description: 'OVERALL, a genre id of the App Store or a category of Google Play.',
    examples: [overallCategory],
    minLength: 1,
    maxLength: 64,
  });

/** The rule that a category belongs to the store beside it: `schema.refine(isOfStore, ofStoreOptions)`. */
export function isOfStore({ store, category }: { store: Store; category: string }): boolean {
  return isCategory(store, category);
}

/** Looked at whatever else is wrong, but for the form of the category itself, so that it is named once. */
export const ofStoreOptions = {
  path: ['category'],
  error: notACategory,
  when: ({ value }: { value: unknown }) => {
    const { store, category } = (value ?? {}) as { store?: unknown; category?: unknown };
    return (
      typeof store === 'string' &&
      isStore(store) &&
      typeof category === 'string' &&
      categoryForm.test(category)
    );
  },
};
