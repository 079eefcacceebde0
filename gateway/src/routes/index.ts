import type { Route } from '../define-route.ts';
import { getAccountUsage } from './get-account-usage.ts';
import { getRankHistory } from './get-rank-history.ts';
import { listApplications } from './list-applications.ts';
import { listKeywords } from './list-keywords.ts';
import { setKeywordFavorite } from './set-keyword-favorite.ts';
import { trackApplication } from './track-application.ts';
import { trackKeywords } from './track-keywords.ts';
import { untrackApplication } from './untrack-application.ts';
import { untrackKeyword } from './untrack-keyword.ts';

/** Every endpoint of the API, in the order of its documentation. */
export const routes: readonly Route[] = [
  getAccountUsage,
  listApplications,
  trackApplication,
  untrackApplication,
  listKeywords,
  trackKeywords,
  untrackKeyword,
  setKeywordFavorite,
  getRankHistory,
];
