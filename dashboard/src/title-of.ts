import type { PageData } from './page-data.ts';
import { texts } from './text/texts.ts';

/** What a page is about: its heading, and the title of its window. */
export function titleOf(data: PageData): string {
  switch (data.page) {
    case 'sign-in':
      return texts.signIn.title;
    case 'problem':
      return texts.error.title;
    case 'shared-app':
      return data.model.app.title ?? data.model.app.storeId;
    case 'overview':
      return texts.overview.title;
    case 'app':
      return data.model.app.title ?? data.model.app.storeId;
    case 'keywords':
      return texts.keywords.title(data.model.app.title ?? data.model.app.storeId);
    case 'keyword':
      return texts.keyword.title(data.model.keyword.text);
    case 'listing':
      return texts.listing.title(data.model.app.title ?? data.model.app.storeId);
    case 'simulator':
      return texts.simulator.title(data.model.app.title ?? data.model.app.storeId);
    case 'niches':
      return texts.niches.title;
    case 'charts':
      return texts.charts.title;
    case 'account':
      return texts.account.title;
  }
}
