import type { PageData } from '@shelfwise/dashboard/page-data';
import type { Assets } from '@shelfwise/dashboard/server/assets';
import { renderFrame } from '@shelfwise/dashboard/server/frame';
import { AppError, errorCodes } from '@shelfwise/runtime/errors';
import type { Request, RequestHandler, Response } from 'express';
import { getRequestContext, requireFromContext } from '../../middleware/request-context.ts';
import { answerPrepared } from '../../pages/prepared-answer.ts';
import type { CreateDashboardPages, DashboardPage } from '../dashboard-page.ts';
import type { ListedSession, Session } from '../sessions.ts';
import type { StoreState } from '../store-state.ts';
import { buildAccount } from './account-page.ts';
import { buildApp } from './app-page.ts';
import { buildKeyword } from './keyword-page.ts';
import { buildKeywords } from './keywords-page.ts';
import { buildOverview } from './overview-page.ts';
import type { PageContext } from './page-context.ts';

/** A year: another content has another name. */
const assetMaxAge = 31_536_000;

type DashboardPagesDeps = {
  /** Called when a page is first shown. */
  readAssets: () => Assets;
  readStoreState: () => Promise<StoreState>;
  listSessions: (session: Session) => Promise<ListedSession[]>;
  /** The address of this Shelfwise, as people reach it. */
  publicUrl: () => string;
  now: () => Date;
};

/** Makes the data of a page from its request. */
type BuildPage = (context: PageContext, request: Request) => Promise<PageData>;

/** The pages of an account, the page on which one signs in, and the files of all of them. */
export function createDashboardPages(deps: DashboardPagesDeps): CreateDashboardPages {
  const { readStoreState, listSessions, publicUrl, now } = deps;
  let assets: Assets | null = null;
  const readAssets = () => {
    assets ??= deps.readAssets();
    return assets;
  };

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
        const isJson = request.accepts(['html', 'json']) === 'json';
        try {
          const data = await build(await contextOf(response), request);
          if (isJson) response.json(data);
          else sendPage(response, data);
        } catch (error) {
          if (isJson || !(error instanceof AppError)) throw error;
          sendProblem(response, error);
        }
      },
    });

    const sendPage = (response: Response, data: PageData) =>
      response.type('html').send(renderFrame(data, readAssets().names));

    function sendProblem(response: Response, error: AppError): void {
      const context = getRequestContext(response);
      context.failure = error;
      const [status] = errorCodes[error.code];
      sendPage(response.status(status), {
        page: 'problem',
        frame: null,
        model: { message: error.message, requestId: context.requestId, canRetry: status >= 429 },
      });
    }

    const prepared = new Map<string, RequestHandler>();
    const serveAsset: RequestHandler = (request, response, next) => {
      const name = String(request.params.name);
      const file = readAssets().files.get(name);
      if (!file) throw new AppError('NOT_FOUND', 'There is no such file.');
      const { body, type } = file;
      const serve = prepared.get(name) ?? answerPrepared(() => body, { type, maxAgeSeconds: assetMaxAge });
      prepared.set(name, serve);
      return serve(request, response, next);
    };

    const signIn: RequestHandler = async (request, response) => {
      if (await readSession(request, response)) response.redirect('/dashboard');
      else sendPage(response, { page: 'sign-in', frame: null, model: {} });
    };

    return [
      { path: '/sign-in', isPublic: true, answer: signIn },
      { path: '/assets/{name}', isPublic: true, answer: serveAsset },
      page('/', (context) => buildOverview(context)),
      page('/apps/{id}', (context, { params, query }) => buildApp(context, String(params.id), query.days)),
      page('/apps/{id}/keywords', (context, { params }) => buildKeywords(context, String(params.id))),
      page('/apps/{id}/keywords/{keyword}', (context, { params }) =>
        buildKeyword(context, { appId: String(params.id), keywordId: String(params.keyword) }),
      ),
      page('/account', async (context) => buildAccount(context, await listSessions(context.session))),
    ];
  };
}
