import { checkStorefront } from '@shelfwise/facts/checks/check-storefront';
import type { SuggestTermsReply, SuggestTermsRequest } from '@shelfwise/proto/store/v1/store';
import { checkText } from '@shelfwise/runtime/check-request';
import type { CallContext } from '@shelfwise/runtime/grpc/grpc-types';
import type { StoreSource } from '../source.ts';
import { beforeDeadline, readOptions } from './before-deadline.ts';
import { toReadingMessage } from './to-reading-message.ts';

const maxPrefixLength = 200;

type Deps = { source: Pick<StoreSource, 'suggest'> };

/** The store's completions of a prefix; `suggestions` is absent when they are unknown. */
export async function suggestTerms(
  { source }: Deps,
  request: SuggestTermsRequest,
  call: CallContext,
): Promise<SuggestTermsReply> {
  const storefront = checkStorefront(request.storefront);
  const prefix = checkText('prefix', request.prefix, 1, maxPrefixLength);

  const { terms, isUncertain, ...reading } = await beforeDeadline(call, (signal) =>
    source.suggest(storefront, prefix, {
      ...readOptions(request, call, signal),
      isThorough: request.is_thorough,
    }),
  );
  const suggestions = terms && { terms, is_uncertain: isUncertain };
  return { reading: toReadingMessage(reading), suggestions };
}
