import { useEffect, useRef, useState } from 'preact/hooks';
import * as texts from '#texts';
import { Spark } from '../../charts/spark.tsx';
import { callApi } from '../../parts/api.ts';
import { callPatiently } from '../../parts/call-each.ts';
import { watchPlace } from '../../parts/watch-place.ts';
import type { RankDays, SparkReader } from './spark-reader.ts';

/** The small picture of a row, read when the row comes into view: the rows are there before their pictures. */
export function RowSpark({ id, keyword, reader }: { id: string; keyword: string; reader: SparkReader }) {
  const [days, setDays] = useState<RankDays | null>(null);
  const place = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (!place.current) return;
    const end = watchPlace(place.current, (isInView) =>
      isInView ? reader.enter(id, setDays) : reader.leave(id),
    );
    return () => {
      end();
      reader.leave(id);
    };
  }, [id, reader]);
  return (
    <span class="spark" ref={place}>
      {days && days.read.length > 0 && <Spark {...days} sentence={texts.keywordList.sparkOf(keyword)} />}
    </span>
  );
}

type Answer = {
  data: { keywords: { keyword_id: number; apps: { history: RankDays['read'] }[] }[] };
  meta: { from: string; to: string };
};

/**
 * The ranks by day of some keywords of an app, at most 100, by their ids. It spends no API request.
 * @throws ApiError
 */
export async function readRankDays(
  appId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, RankDays>> {
  const path = `/applications/${appId}/ranks/history?keyword_ids=${ids.join(',')}`;
  const { data, meta } = await callPatiently(() => callApi<Answer>(path));
  const { from, to } = meta;
  return new Map(
    data.keywords.map(({ keyword_id: id, apps }) => [String(id), { from, to, read: apps[0]?.history ?? [] }]),
  );
}
