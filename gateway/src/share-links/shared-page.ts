import type { PageData } from '@shelfwise/dashboard/page-data';
import type { Assets } from '@shelfwise/dashboard/server/assets';
import { AppError } from '@shelfwise/runtime/errors';
import type { Response } from 'express';
import {
  type CreateDashboardPages,
  createSendPage,
  type DashboardPage,
} from '../dashboard/dashboard-page.ts';
import type { StoreState } from '../dashboard/store-state.ts';
import type { CallsInFlight } from '../http/calls-in-flight.ts';
import { getRequestContext } from '../middleware/request-context.ts';
import { buildSharedApp } from './build-shared-app.ts';
import type { ShareLinks } from './share-links.ts';

/** Also of a link that has ended: who tries addresses learns nothing. */
const noSuchPage = 'There is no such page, or its link has ended.';

type Tools = Pick<Parameters<CreateDashboardPages>[0], 'callAsSession'>;

/**
 * The page of a link. It needs neither key nor session, is never cached or indexed, and spends nothing: its calls are answered from
 * what is kept, as the account that made the link.
 */
export function createSharedPage(deps: {
  shareLinks: Pick<ShareLinks, 'find'>;
  callsInFlight: Pick<CallsInFlight, 'reserve'>;
  /** What the head of each page loads; null: the pages are not built. */
  head: Assets['head'] | null;
  readStoreState: () => Promise<StoreState>;
  now: () => Date;
}): (tools: Tools) => DashboardPage {
  const { shareLinks, callsInFlight, readStoreState, now } = deps;
  const sendPage = createSendPage(deps.head);

  return ({ callAsSession }) => {
    /** @throws NOT_FOUND, SERVICE_UNAVAILABLE */
    async function build(secret: string, response: Response): Promise<PageData> {
      const shared = await shareLinks.find(secret);
      if (!shared) throw new AppError('NOT_FOUND', noSuchPage);
      const { account, plan } = shared;
      // Slots of their own: a page that many strangers read leaves those of its account free.
      if (!callsInFlight.reserve(`${account.id} shared`, response))
        throw new AppError('SERVICE_UNAVAILABLE', 'Many people read this page now. Try again.');
      getRequestContext(response).caller = { account, plan };
      try {
        return await buildSharedApp(callAsSession(response), { ...shared, readStoreState, now: now() });
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'APP_NOT_FOUND') throw error;
        throw new AppError('NOT_FOUND', noSuchPage);
      }
    }

    return {
      path: '/shared/{secret}',
      isPublic: true,
      async answer(request, response) {
        response.set('X-Robots-Tag', 'noindex, nofollow, noarchive');
        sendPage(response, await build(String(request.params.secret), response));
      },
    };
  };
}
