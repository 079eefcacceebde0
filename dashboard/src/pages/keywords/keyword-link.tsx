import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { AppHead } from '../../page-data.ts';
import type { KeywordRow } from './model.ts';

/** The view of the list as in its address, which the links of its rows keep. From a context: another order draws only the links again. */
export const ListQuery = createContext('');

export function KeywordLink({ app: { id, lang }, row }: { app: AppHead; row: KeywordRow }) {
  const query = useContext(ListQuery);
  return (
    <a href={`${addressOf(id, row.id)}${query}`}>
      <bdi lang={lang}>{row.keyword}</bdi>
    </a>
  );
}

export function addressOf(appId: string, keywordId: string): string {
  return `/dashboard/apps/${appId}/keywords/${keywordId}`;
}
