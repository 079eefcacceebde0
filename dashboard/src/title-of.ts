import type { AppHead, PageData } from './page-data.ts';
import { isolated, texts } from './text/texts.ts';

/** What a page is about: its heading, and the title of its window. */
export function titleOf(data: PageData): string {
  switch (data.page) {
    case 'sign-in':
      return texts.signIn.title;
    case 'problem':
      return texts.error.title;
    case 'overview':
      return texts.overview.title;
    case 'shared-app':
    case 'app':
      return nameOf(data.model.app);
    case 'keywords':
      return texts.keywords.title(nameOf(data.model.app));
    case 'keyword':
      return texts.keyword.title(isolated(data.model.keyword.text));
    case 'listing':
      return texts.listing.title(nameOf(data.model.app));
    case 'simulator':
      return texts.simulator.title(nameOf(data.model.app));
    case 'rivals':
      return texts.rivals.title(nameOf(data.model.app));
    case 'niches':
      return texts.niches.title;
    case 'charts':
      return texts.charts.title;
    case 'account':
      return texts.account.title;
  }
}

function nameOf({ title, storeId }: Pick<AppHead, 'title' | 'storeId'>): string {
  return isolated(title ?? storeId);
}
