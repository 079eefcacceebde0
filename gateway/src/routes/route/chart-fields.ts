import { collections, isCategory, overallCategory } from '@shelfwise/facts/stores/categories';
import { isStore, type Store } from '@shelfwise/facts/stores/store';
import { z } from 'zod';

export const collection = z.enum(collections).meta({
  description: 'What the chart ranks: free apps, paid apps, or all apps by revenue.',
  examples: ['free'],
});

const categoryForm = /^[A-Za-z0-9_]{1,64}$/;
const notACategory = `must be ${overallCategory} or a category of the store, see GET /api/v1/top-charts/categories`;

export const categoryKey = z
  .string()
  .regex(categoryForm, notACategory)
  .meta({
    description: 'OVERALL, a genre id of the App Store, or a category of Google Play.',
    examples: [overallCategory],
    minLength: 1,
    maxLength: 64,
  });

/** The category must belong to the store: `schema.refine(isCategoryOfStore, categoryOfStoreOptions)`. */
export function isCategoryOfStore({ store, category }: { store: Store; category: string }): boolean {
  return isCategory(store, category);
}

/** Checked even when other fields are wrong, but not for a malformed category, which is already reported. */
export const categoryOfStoreOptions = {
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
