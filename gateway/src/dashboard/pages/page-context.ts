import type { AppHead, Frame } from '@shelfwise/dashboard/page-data';
import { AppError } from '@shelfwise/runtime/errors';
import type { z } from 'zod';
import type { Plan } from '../../plans/plans.ts';
import type { listApplications } from '../../routes/list-applications.ts';
import { appNotTracked } from '../../routes/route/error-examples.ts';
import type { CallForPage, SessionAnswer } from '../call-as-session.ts';
import type { Session } from '../sessions.ts';
import type { StoreState } from '../store-state.ts';

/** What the data of a page is made from: the API's own answers, for the account of the session. */
export type PageContext = {
  call: CallForPage;
  session: Session;
  plan: Plan;
  store: StoreState;
  /** The address of this Shelfwise, as people reach it. */
  publicUrl: string;
  now: Date;
};

export function appNotFound(): AppError {
  return new AppError('APP_NOT_FOUND', appNotTracked);
}

type Application = z.output<typeof listApplications.data>[number];

/** @throws the failure of a call without which there is no page */
export function answerOf<Data, Meta>(answer: SessionAnswer<Data, Meta>): { data: Data; meta: Meta } {
  if ('failure' in answer) throw answer.failure;
  return answer;
}

/** As `answerOf`, without the meta. */
export function dataOf<Data>(answer: SessionAnswer<Data>): Data {
  return answerOf(answer).data;
}

/** The data, or a substitute when the call has failed: the rest of the page is shown. */
export function dataOr<Data, Substitute>(
  answer: SessionAnswer<Data>,
  substitute: Substitute,
): Data | Substitute {
  return 'failure' in answer ? substitute : answer.data;
}

export function toAppHead({ id, app_id: storeId, title, store, country, lang }: Application): AppHead {
  return { id: String(id), storeId, title, store, country, lang };
}

export function toFrame(
  { session, store, now }: Pick<PageContext, 'session' | 'store' | 'now'>,
  applications: readonly Application[],
  appId: string | null,
): Frame {
  return {
    account: { email: session.account.email, plan: session.account.plan },
    isSample: store.isSample,
    troubles: store.troubles,
    today: now.toISOString().slice(0, 10),
    apps: applications.map(toAppHead),
    appId,
  };
}
