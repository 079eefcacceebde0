import { useRef, useState } from 'preact/hooks';
import * as texts from '#texts';
import { callPage } from '../../parts/api.ts';
import { ErrorNote } from '../../parts/error-note.tsx';
import { useKeys } from '../../parts/keys.ts';
import { say } from '../../parts/toasts.tsx';
import { readAddress, toQuery } from '../../parts/use-address.ts';
import { viewList, wholeList } from '../keywords/list-view.ts';
import type { KeywordsModel } from '../keywords/model.ts';
import { findNeighbor } from './find-neighbor.ts';

const words = texts.keyword.neighbors;

/**
 * The way to the list, and to the keywords before and after this one in its order and with its filters, which the address keeps. The
 * list is only read when someone wants to go on. Keys that are pressed while it is read open one page together.
 */
export function Neighbors({ appId, keywordId }: { appId: string; keywordId: string }) {
  const [error, setError] = useState<unknown>(null);
  const fields = readAddress(wholeList);
  const query = toQuery(fields, wholeList);
  const list = `/dashboard/apps/${appId}/keywords`;
  /** How many rows to go on; null: nothing was pressed. */
  const steps = useRef<number | null>(null);
  const go = async (step: 1 | -1) => {
    const isOnTheWay = steps.current !== null;
    steps.current = (steps.current ?? 0) + step;
    if (isOnTheWay) return;
    setError(null);
    try {
      const { model } = await callPage<{ model: KeywordsModel }>(list);
      const by = steps.current;
      const next = findNeighbor(viewList(model.rows, fields), keywordId, by);
      if (next === null) say(words.outside);
      else if (next !== keywordId) {
        location.assign(`${list}/${next}${query}`);
        // What is pressed until the next page is there would open it once more.
        await new Promise((resolve) => setTimeout(resolve, 1000));
      } else if (by !== 0) say(by > 0 ? words.last : words.first);
    } catch (failure) {
      setError(failure);
    }
    steps.current = null;
  };
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
