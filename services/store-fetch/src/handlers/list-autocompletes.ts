import type {
  AutocompleteQuery,
  ListAutocompletesReply,
  ListAutocompletesRequest,
} from '@shelfwise/proto/store/v1/autocomplete';
import type { AutocompleteStore, StoredAutocomplete } from '../stores/autocomplete-store.ts';

type Deps = { autocompletes: Pick<AutocompleteStore, 'readPage'> };

/** One page of the prefixes that the account has queried, newest first. */
export async function listAutocompletes(
  { autocompletes }: Deps,
  request: ListAutocompletesRequest,
): Promise<ListAutocompletesReply> {
  const { rows, total } = await autocompletes.readPage(request);
  return { queries: rows.map(toQuery), total };
}

function toQuery(row: StoredAutocomplete): AutocompleteQuery {
  return {
    id: row._id,
    prefix: row.prefix,
    storefront: { store: row.store, country: row.country, lang: row.lang },
    suggestion_count: row.suggestion_count,
    last_queried_at: row.last_queried_at,
  };
}
