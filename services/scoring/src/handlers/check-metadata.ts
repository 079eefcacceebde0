import { isStore } from '@shelfwise/facts/stores/store';
import type { CheckMetadataReply, CheckMetadataRequest } from '@shelfwise/proto/scoring/v1/scoring';
import { invalidParams } from '@shelfwise/runtime/errors';
import { checkMetadata as check } from '../domain/check/check-metadata.ts';
import { checkTexts } from '../drafts/check-texts.ts';

export async function checkMetadata({ store, draft }: CheckMetadataRequest): Promise<CheckMetadataReply> {
  if (!isStore(store)) throw invalidParams({ store: 'must be ITUNES or GPLAY' });
  const texts = checkTexts(draft);
  if (Object.keys(texts).length === 0)
    throw invalidParams({ draft: 'must have at least one of title, subtitle, description and kw_field' });
  return check(store, texts);
}
