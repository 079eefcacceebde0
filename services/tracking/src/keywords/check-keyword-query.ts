import { KeywordOrder_Field as Field, type ListKeywordsRequest } from '@shelfwise/proto/tracking/v1/tracking';
import { checkDay, checkInteger, checkText } from '@shelfwise/runtime/check-request';
import { invalidParams } from '@shelfwise/runtime/errors';
import type { KeywordOrder } from '../domain/keyword-order.ts';
import type { KeywordFilter } from '../stores/tracked-keyword-store.ts';
import type { Comparison, KeywordQuery } from './order-keywords.ts';

export const maxKeywordsPerPage = 1000;
/** In UTF-16 units. The gateway accepts 100 code points. */
const maxSearchLength = 400;

const orderFields: Readonly<Partial<Record<Field, KeywordOrder['by']>>> = {
  [Field.KEYWORD]: 'keyword',
  [Field.RANK]: 'rank',
  [Field.TRAFFIC]: 'traffic',
  [Field.DIFFICULTY]: 'difficulty',
  [Field.DELTA]: 'delta',
};

/** What requests for lists of keywords share. */
type Request = Pick<
  ListKeywordsRequest,
  'order' | 'search' | 'min_traffic' | 'max_difficulty' | 'oldest_day'
>;

/** The day of the list itself: the snapshot before the latest one. */
const snapshotBefore = { days: 1, isExact: false };

/** @throws INVALID_PARAMS */
export function checkKeywordQuery(
  request: Request,
  filter: KeywordFilter,
  compared: Pick<Comparison, 'days' | 'isExact'> = snapshotBefore,
): KeywordQuery {
  const { search, min_traffic: minTraffic, max_difficulty: maxDifficulty, oldest_day: day } = request;
  const order = checkOrder(request);
  return {
    filter,
    order,
    search: search == null ? null : checkText('search', search, 1, maxSearchLength),
    minTraffic: minTraffic == null ? null : checkInteger('min_traffic', minTraffic, 0, 100),
    maxDifficulty: maxDifficulty == null ? null : checkInteger('max_difficulty', maxDifficulty, 0, 100),
    compared: { ...compared, oldestDay: order?.by === 'delta' ? checkDay('oldest_day', day ?? '') : '' },
  };
}

function checkOrder({ order }: Request): KeywordOrder | null {
  if (order == null) return null;
  const by = orderFields[order.field];
  if (by === undefined) throw invalidParams({ order: 'must name a field to order by' });
  return { by, isDescending: order.descending };
}
