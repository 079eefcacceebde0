import * as texts from '#texts';
import type { AppHead, PageData } from './page-data.ts';
import type { PageName } from './pages.ts';
import { isolated } from './text/format.ts';

/** What the navigation calls a page. */
export function nameOfWay(page: PageName): string {
  return (texts.nav as Readonly<Record<string, string>>)[page] ?? '';
}

/** What a page is about: its heading, and the title of its window. */
export function titleOf(data: PageData): string {
  switch (data.page) {
    case 'sign-in':
      return texts.titles.signIn;
    case 'connect':
      return texts.titles.connect;
    case 'problem':
      return data.model.reloads ? texts.error.wait : texts.error.title;
    case 'shared-app':
    case 'app':
      return nameOf(data.model.app);
    case 'keywords':
      return texts.titles.keywords(nameOf(data.model.app));
    case 'keyword':
      return texts.titles.keyword(isolated(data.model.keyword.text));
    case 'listing':
      return texts.titles.listing(nameOf(data.model.app));
    case 'simulator':
      return texts.titles.simulator(nameOf(data.model.app));
    case 'rivals':
      return texts.titles.rivals(nameOf(data.model.app));
    case 'overview':
    case 'niches':
    case 'charts':
    case 'alerts':
    case 'account':
      return texts.nav[data.page];
  }
}

function nameOf({ title, storeId }: Pick<AppHead, 'title' | 'storeId'>): string {
  return isolated(title ?? storeId);
}
