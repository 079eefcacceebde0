import { checkStorefront } from '@shelfwise/facts/checks/check-storefront';
import type { SuggestTermsReply, SuggestTermsRequest } from '@shelfwise/proto/store/v1/store';
import { checkText } from '@shelfwise/runtime/check-request';
import type { CallContext } from '@shelfwise/runtime/grpc-types';
import { beforeDeadline } from '../before-deadline.ts';
import type { StoreSource } from '../sources/source.ts';
import { readOptions } from './read-options.ts';
import { toReadingMessage } from './to-reading-message.ts';

const maxPrefixLength = 200;

/** What the search field completes a prefix to; no `suggestions` when the store's silence cannot be believed. */
export async function suggestTerms(
  source: StoreSource,
  request: SuggestTermsRequest,
  call: CallContext,
): Promise<SuggestTermsReply> {
  const storefront = checkStorefront(request.storefront);
  const prefix = checkText('prefix', request.prefix, 1, maxPrefixLength);

  const { terms, ...reading } = await beforeDeadline(call, (signal) =>
    source.suggest(storefront, prefix, readOptions(request, signal)),
  );
  return { reading: toReadingMessage(reading), suggestions: terms && { terms } };
}
