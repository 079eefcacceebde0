import { categoryLabel, overallCategory } from '@shelfwise/facts/categories';
import { load } from 'cheerio/slim';
import { z } from 'zod';
import { refusePage, type StoreAnswer } from '../../http/call-store.ts';
import { decodeText } from '../../http/parse-body.ts';
import { refuseDeepNesting } from '../../http/refuse-deep-nesting.ts';
import type { Category } from '../source.ts';
import { StoreFailure } from '../store-failure.ts';
import type { HandedOver } from './call-scraper.ts';
import { parseMapped } from './parse-mapped.ts';
import { everything } from './top-chart.ts';

/** A page that names fewer is not the one with the list of them. */
const fewest = 5;

/** The scraper gives what follows in the address of a category; the page may add parameters to that. */
const keys = z.array(
  z
    .string()
    .transform((path) => path.replace(/[?#].*$/, ''))
    .pipe(z.string().regex(/^[A-Z][A-Z_]*$/)),
);

const maxDepth = 256;

/** The links of the page of all apps, as the scraper reads them; it breaks on one that leads nowhere. */
export function readCategoryPage(answer: StoreAnswer): HandedOver<null> {
  const html = decodeText(answer.body);
  refuseDeepNesting(html, { maxDepth });
  const page = load(html);
  const links = page('li a[href^="/store/apps/category/"]');
  if (links.length === 0) throw refusePage(answer, 'sent a page without links to its categories');
  // The start of the list is no list.
  if (!html.includes('</html>')) throw new StoreFailure('garbage', 'sent a page that is cut short');
  const items = links.map((_, link) => `<li>${page.html(page(link).empty())}</li>`).get();
  return { text: `<ul>${items.join('')}</ul>`, kept: null };
}

export function toCategories(mapped: unknown): Category[] {
  const named = new Set(parseMapped(keys, mapped));
  named.delete(everything);
  if (named.size < fewest) {
    throw new StoreFailure(
      'garbage',
      `sent a page that names ${named.size} categories instead of all of them`,
    );
  }
  return [overallCategory, ...named].map((key) => ({ key, label: labelOf(key) }));
}

/** A category that is new to us is named after its key: GAME_QUIZ becomes Game Quiz. */
function labelOf(key: string): string {
  const words = key.toLowerCase().replaceAll('_', ' ');
  return categoryLabel('GPLAY', key) ?? words.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
}
