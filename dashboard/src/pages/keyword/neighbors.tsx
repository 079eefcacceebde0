import { useState } from 'preact/hooks';
import * as texts from '#texts';
import { callPage } from '../../parts/api.ts';
import { ErrorNote } from '../../parts/error-note.tsx';
import { useKeys } from '../../parts/keys.ts';
import { say } from '../../parts/toasts.tsx';
import { readAddress, toQuery } from '../../parts/use-address.ts';
import { viewList, wholeList } from '../keywords/list-view.ts';
import type { KeywordsModel } from '../keywords/model.ts';

const words = texts.keyword.neighbors;

/**
 * The way to the list, and to the keywords before and after this one in its order and with its filters, which the address keeps. The
 * list is only read when someone wants to go on.
 */
export function Neighbors({ appId, keywordId }: { appId: string; keywordId: string }) {
  const [error, setError] = useState<unknown>(null);
  const fields = readAddress(wholeList);
  const query = toQuery(fields, wholeList);
  const list = `/dashboard/apps/${appId}/keywords`;
  const go = (by: 1 | -1) =>
    callPage<{ model: KeywordsModel }>(list).then(({ model }) => {
      const rows = viewList(model.rows, fields);
      const at = rows.findIndex(({ id }) => id === keywordId);
      const next = at === -1 ? undefined : rows[at + by];
      if (next) location.assign(`${list}/${next.id}${query}`);
      else say(at === -1 ? words.outside : by === 1 ? words.last : words.first);
    }, setError);
  useKeys({ '[': () => void go(-1), ']': () => void go(1) });
  return (
    <nav class="row tools" aria-label={words.label}>
      <a href={`${list}${query}`}>{words.list}</a>
      <button type="button" onClick={() => void go(-1)}>
        {words.previous}
      </button>
      <button type="button" onClick={() => void go(1)}>
        {words.next}
      </button>
      <ErrorNote error={error} />
    </nav>
  );
}
