import type { AccountModel } from './pages/account/model.ts';
import type { AlertsModel } from './pages/alerts/model.ts';
import type { AppModel } from './pages/app/model.ts';
import type { ChartsModel } from './pages/charts/model.ts';
import type { ConnectModel } from './pages/connect/model.ts';
import type { KeywordModel } from './pages/keyword/model.ts';
import type { KeywordsModel } from './pages/keywords/model.ts';
import type { ListingModel } from './pages/listing/model.ts';
import type { NichesModel } from './pages/niches/model.ts';
import type { OverviewModel } from './pages/overview/model.ts';
import type { ProblemModel } from './pages/problem/model.ts';
import type { RivalsModel } from './pages/rivals/model.ts';
import type { SharedAppModel } from './pages/shared-app/model.ts';
import type { SignInModel } from './pages/sign-in/model.ts';
import type { SimulatorModel } from './pages/simulator/model.ts';

/** A tracked app, as pages name it. */
export type AppHead = {
  /** its number in Shelfwise */
  id: string;
  storeId: string;
  title: string | null;
  store: 'ITUNES' | 'GPLAY';
  country: string;
  lang: string;
  /** Whether the store has shown an icon. */
  hasIcon: boolean;
};

/** A store that cannot be read as usual; `unknown`: whether they can be read is not known. */
export type StoreTrouble = {
  store: AppHead['store'] | 'unknown';
  /** Since when no result page is read, ISO 8601; null: some are read. */
  blockedSince: string | null;
  /** When it is tried again, ISO 8601; null: at the next occasion. */
  nextTryAt: string | null;
};

/** What every page of an account shows around its content. */
export type Frame = {
  account: { email: string; plan: string };
  /** Whether the data is the fictional catalog; null: not known. */
  isSample: boolean | null;
  troubles: StoreTrouble[];
  /** The UTC days of the ranks on the page, the oldest and the newest; null: it shows none. */
  rankDays: { oldest: string; newest: string } | null;
  /** Whether letters are shortcuts. */
  hasShortcuts: boolean;
  /** The UTC day of the answer. */
  today: string;
  /** The tracked apps, newest first. */
  apps: AppHead[];
  /** The `id` of the app that the page is about; null: none. */
  appId: string | null;
};

/** The data inside the HTML of a page. */
export type PageData =
  | { page: 'sign-in'; frame: null; model: SignInModel }
  | { page: 'connect'; frame: null; model: ConnectModel }
  | { page: 'problem'; frame: null; model: ProblemModel }
  | { page: 'shared-app'; frame: null; model: SharedAppModel }
  | { page: 'overview'; frame: Frame; model: OverviewModel }
  | { page: 'app'; frame: Frame; model: AppModel }
  | { page: 'keywords'; frame: Frame; model: KeywordsModel }
  | { page: 'keyword'; frame: Frame; model: KeywordModel }
  | { page: 'listing'; frame: Frame; model: ListingModel }
  | { page: 'simulator'; frame: Frame; model: SimulatorModel }
  | { page: 'rivals'; frame: Frame; model: RivalsModel }
  | { page: 'niches'; frame: Frame; model: NichesModel }
  | { page: 'charts'; frame: Frame; model: ChartsModel }
  | { page: 'alerts'; frame: Frame; model: AlertsModel }
  | { page: 'account'; frame: Frame; model: AccountModel };
