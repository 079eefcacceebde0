import { callApi } from '../../parts/api.ts';
import type { KeywordRow, KeywordsModel } from './model.ts';

type App = Pick<KeywordsModel['app'], 'id'>;
type Keyword = Pick<KeywordRow, 'id'>;

/** @throws ApiError */
export function callFavorite({ id }: App, keyword: Keyword, isFavorite: boolean) {
  const body = { is_favorite: isFavorite };
  return callApi(`/keywords/${keyword.id}/apps/${id}/favorite`, { method: 'PATCH', body });
}

/** @throws ApiError */
export function callRemove({ id }: App, keyword: Keyword) {
  return callApi(`/keywords/${keyword.id}/apps/${id}`, { method: 'DELETE' });
}
