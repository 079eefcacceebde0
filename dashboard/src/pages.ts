import type { PageData } from './page-data.ts';

export type PageName = PageData['page'];

/** `src/<name>.tsx`: each draws some pages, so that a page loads little. `scripts/bundle.mjs` packs them. */
export const scriptNames = ['main', 'work', 'app', 'keyword', 'more', 'account', 'rivals'] as const;
export type ScriptName = (typeof scriptNames)[number];

/** What most of these scripts have, once: all import it, and a browser keeps it from page to page. */
export const sharedScript = 'shared';

type Page = {
  /** which draws it */
  script: ScriptName;
  /** its address after `/dashboard`, where the navigation leads to it; `{id}`: of an app */
  path?: string;
  /** the letter that leads to it after `g` */
  letter?: string;
};

/** All pages, in the order of the navigation. */
export const pages: Readonly<Record<PageName, Page>> = {
  overview: { script: 'main', path: '', letter: 'o' },
  app: { script: 'app', path: '/apps/{id}', letter: 'a' },
  keywords: { script: 'main', path: '/apps/{id}/keywords', letter: 'k' },
  listing: { script: 'work', path: '/apps/{id}/listing', letter: 'l' },
  simulator: { script: 'work', path: '/apps/{id}/simulator', letter: 's' },
  rivals: { script: 'rivals', path: '/apps/{id}/rivals', letter: 'r' },
  niches: { script: 'more', path: '/niches', letter: 'n' },
  charts: { script: 'more', path: '/charts', letter: 't' },
  alerts: { script: 'account', path: '/alerts', letter: 'e' },
  account: { script: 'account', path: '/account', letter: 'c' },
  keyword: { script: 'keyword' },
  'shared-app': { script: 'app' },
  'sign-in': { script: 'main' },
  connect: { script: 'main' },
  problem: { script: 'main' },
};

/** A page to which the navigation leads; `letter` null: no key does. */
export type Way = { page: PageName; href: string; letter: string | null; isOfApp: boolean };

/** The ways to the pages of the account, and to those of an app when there is one. */
export function waysTo(appId: string | null): Way[] {
  return (Object.entries(pages) as [PageName, Page][]).flatMap(([page, { path, letter = null }]) => {
    if (path === undefined) return [];
    const isOfApp = path.includes('{id}');
    if (isOfApp && appId === null) return [];
    return [{ page, href: `/dashboard${path.replace('{id}', appId ?? '')}`, letter, isOfApp }];
  });
}
