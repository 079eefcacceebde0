import { isStore } from '@shelfwise/facts/stores/store';
import type { GetIconReply, GetIconRequest } from '@shelfwise/proto/store/v1/store';
import { invalidParams } from '@shelfwise/runtime/errors';
import type { CallContext } from '@shelfwise/runtime/grpc/grpc-types';
import type { StoreSource } from '../source.ts';
import { beforeDeadline } from './before-deadline.ts';
import { checkAppId } from './check-request.ts';

type Deps = { source: Pick<StoreSource, 'icon'> };

/** @throws NOT_FOUND when no answer of the store has shown an icon of the app */
export async function getIcon(
  { source }: Deps,
  request: GetIconRequest,
  call: CallContext,
): Promise<GetIconReply> {
  const { store } = request;
  if (!isStore(store)) throw invalidParams({ store: 'must be ITUNES or GPLAY' });
  const appId = checkAppId('app_id', request.app_id);
  const { image, type } = await beforeDeadline(call, (signal) => source.icon(store, appId, signal));
  return { image, content_type: type };
}
