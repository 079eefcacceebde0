import type { PageData } from '@shelfwise/dashboard/page-data';
import type { ProblemModel } from '@shelfwise/dashboard/pages/problem/model';
import type { Asset } from '@shelfwise/dashboard/server/assets';
import { AppError } from '@shelfwise/runtime/errors';
import type { Request, RequestHandler, Response } from 'express';
import { mapDatabaseError } from '../../http/gateway-errors.ts';
import { getRequestContext, requireFromContext } from '../../middleware/request-context.ts';
import type { ListedGrant } from '../../oauth/grants.ts';
import { answerPrepared } from '../../pages/prepared-answer.ts';
import { type CreateDashboardPages, createSendPage, type DashboardPage } from '../dashboard-page.ts';
import type { Draft } from '../drafts.ts';
import type { ListedSession, Session } from '../sessions.ts';
import type { SharedAssets } from '../shared-assets.ts';
import type { StoreState } from '../store-state.ts';
import { buildAccount } from './account-page.ts';
import { buildAlerts } from './alerts-page.ts';
import { buildApp } from './app-page.ts';
import { buildCharts } from './charts-page.ts';
import { buildKeyword } from './keyword-page.ts';
import { buildKeywords } from './keywords-page.ts';
import { buildListing } from './listing-page.ts';
import { buildNiches } from './niches-page.ts';
import { buildOverview } from './overview-page.ts';
import type { PageContext } from './page-context.ts';
import { buildRivals } from './rivals-page.ts';
import { buildSimulator } from './simulator-page.ts';

/** A year: another content has another name. */
const assetCaching = { maxAgeSeconds: 31_536_000, isImmutable: true };

/** A page that comes too soon loads again by itself when the wait is this short. A person reads about a longer one. */
const maxReloadSeconds = 5;

type DashboardPagesDeps = {
  assets: Pick<SharedAssets, 'head' | 'recall' | 'find'>;
  readStoreState: () => Promise<StoreState>;
  listSessions: (session: Session) => Promise<ListedSession[]>;
  listConnections: (accountId: string) => Promise<ListedGrant[]>;
  /** Whether assistants from elsewhere can connect: an address that they reach is set. */
  canAssistantsConnect: boolean;
  findDraft: (accountId: string, appId: number) => Promise<Draft | null>;
  /** The address of this Shelfwise, as people reach it. */
  publicUrl: () => string;
  now: () => Date;
};

/** What still works when a page is refused with this status. */
function toWorking(status: number): ProblemModel['works'] {
  if (status === 429) return 'after_wait';
  return status >= 500 ? 'maybe_others' : 'other_pages';
}

/** Makes the data of a page from its request. */
type BuildPage = (context: PageContext, request: Request) => Promise<PageData>;

/** The pages of an account, the page on which one signs in, and the files of all of them. */
export function createDashboardPages(deps: DashboardPagesDeps): CreateDashboardPages {
  const { assets, readStoreState, listSessions, listConnections, canAssistantsConnect } = deps;
  const { findDraft, publicUrl, now } = deps;

  return ({ readSession, callAsSession }) => {
    const contextOf = async (response: Response): Promise<PageContext> => ({
      call: callAsSession(response),
      session: requireFromContext(response, 'session'),
      plan: requireFromContext(response, 'caller').plan,
      store: await readStoreState(),
      publicUrl: publicUrl(),
      now: now(),
    });

    /** As HTML with its data, or as the data alone for a page that reads itself again. */
    const page = (path: string, build: BuildPage): DashboardPage => ({
      path,
      isPublic: false,
      async answer(request, response) {
        const data = await build(await contextOf(response), request);
        if (request.accepts(['html', 'json']) === 'json') response.json(data);
        else sendPage(response, data);
      },
    });

    const sendPage = createSendPage(assets.head);

    function sendProblem(response: Response, message: string): void {
      const retryAfterSeconds = Number(response.get('Retry-After')) || null;
      const { requestId } = getRequestContext(response);
      const { statusCode } = response;
      const canRetry = statusCode >= 429;
      const isSoon = retryAfterSeconds !== null && retryAfterSeconds <= maxReloadSeconds;
      const reloads = statusCode === 429 && isSoon;
      sendPage(response, {
        page: 'problem',
        frame: null,
        model: { message, works: toWorking(statusCode), requestId, canRetry, retryAfterSeconds, reloads },
      });
    }

    /** By the file, so that one that is forgotten takes no memory. */
    const prepared = new WeakMap<Asset, RequestHandler>();
    const serve = (file: Asset): RequestHandler => {
      const { body, type } = file;
      const handler = prepared.get(file) ?? answerPrepared(() => body, { type, ...assetCaching });
      prepared.set(file, handler);
      return handler;
    };
    const serveRecalled: RequestHandler = (request, response, next) => {
      const file = assets.recall(String(request.params.name));
      return file ? serve(file)(request, response, next) : next();
    };
    const serveFound: RequestHandler = async (request, response, next) => {
      const file = await assets.find(String(request.params.name));
      if (!file) throw new AppError('NOT_FOUND', 'There is no such file.');
      return serve(file)(request, response, next);
    };

    const signIn: RequestHandler = async (request, response) => {
      if (await readSession(request, response))
        response.redirect('/dashboard#'); // without the code of a link that was opened
      else sendPage(response, { page: 'sign-in', frame: null, model: { isForConnection: false } });
    };

    const pages: DashboardPage[] = [
      { path: '/sign-in', isPublic: true, answer: signIn },
      { path: '/assets/{name}', isPublic: true, answerAtOnce: serveRecalled, answer: serveFound },
      page('/', (context) => buildOverview(context)),
      page('/apps/{id}', (context, { params, query }) => buildApp(context, String(params.id), query.days)),
      page('/apps/{id}/keywords', (context, { params }) => buildKeywords(context, String(params.id))),
      page('/apps/{id}/keywords/{keyword}', (context, { params }) =>
        buildKeyword(context, { appId: String(params.id), keywordId: String(params.keyword) }),
      ),
      page('/apps/{id}/listing', (context, { params }) => buildListing(context, String(params.id))),
      page('/apps/{id}/simulator', (context, { params, query }) =>
        buildSimulator(context, {
          appId: String(params.id),
          wanted: { run: query.run, other: query.with },
          findDraft: () => mapDatabaseError(findDraft(context.session.account.id, Number(params.id))),
        }),
      ),
      page('/apps/{id}/rivals', (context, { params, query }) =>
        buildRivals(context, String(params.id), query),
      ),
      page('/niches', (context, { query }) => buildNiches(context, query)),
      page('/charts', (context, { query }) => buildCharts(context, query)),
      page('/alerts', (context, { query }) => buildAlerts(context, query)),
      page('/account', async (context) =>
        buildAccount(context, {
          sessions: await mapDatabaseError(listSessions(context.session)),
          connections: await mapDatabaseError(listConnections(context.session.account.id)),
          canAssistantsConnect,
        }),
      ),
    ];
    return { pages, sendProblem: assets.head && sendProblem };
  };
}
