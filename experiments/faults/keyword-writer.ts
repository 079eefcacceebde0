import type { Answer, Call } from '../lib/balancer.ts';

type Write = { call: Omit<Call, 'key'>; onAnswer(answer: Answer): void };
type Row = { keyword: string; keyword_id: number; is_favorite: boolean; traffic_score: number | null };

/** What the answers so far say about a keyword; `open` while a write of it is unanswered or failed. */
type State = 'tracked' | 'favorite' | 'removed' | 'open';

const topics =
  'photo,habit,budget,recipe,yoga,weather,sudoku,chess,mood,sleep,running,fasting,music,travel,language,calendar,invoice,plants,dogs,wallpaper'.split(
    ',',
  );
const endings =
  'app,free,pro,daily,kids,tracker,planner,widget,coach,journal,games,offline,log,ideas,timer,club'.split(
    ',',
  );
/** All accounts share these, so that most of them have been read and scored before. */
const words = topics.flatMap((topic) => endings.map((ending) => `${topic} ${ending}`));

/**
 * The writes of one account, and what must be stored after them. A write that is not answered with 200 leaves its
 * keyword open: it may or may not be stored, and is not touched again.
 */
export function createKeywordWriter(deps: { appId: number; storefront: object; firstWord: number }) {
  const { appId, storefront, firstWord } = deps;
  const states = new Map<string, State>();
  const ids = new Map<string, number>();
  // Every third client writes: they do different things at the same time.
  let actions = Math.floor(firstWord / 3);

  /** @param after what the keyword is once the write is acknowledged */
  function write(keyword: string, call: Omit<Call, 'key'>, after: State): Write {
    states.set(keyword, 'open');
    return {
      call,
      onAnswer({ status, body }) {
        if (status !== 200 || body.data?.error_count > 0) return;
        states.set(keyword, after);
      },
    };
  }

  function track(): Write | null {
    const next = states.size;
    if (next >= words.length) return null;
    const keyword = words[(firstWord * 31 + next) % words.length] as string;
    const body = { keywords: [keyword], app_id: appId, ...storefront };
    return write(keyword, { method: 'POST', path: '/keywords', body }, 'tracked');
  }

  function change(from: State, method: string, after: State): Write | null {
    const keyword = [...ids.keys()].find((word) => states.get(word) === from);
    if (keyword === undefined) return null;
    const path = `/keywords/${ids.get(keyword)}/apps/${appId}`;
    if (after === 'removed') return write(keyword, { method, path }, after);
    return write(keyword, { method, path: `${path}/favorite`, body: { is_favorite: true } }, after);
  }

  /** The list, which has the ids. `compare` finds acknowledged keywords that it does not show. */
  const list = (): Write => ({
    call: { method: 'GET', path: `/keywords?app_id=${appId}&per_page=1000` },
    onAnswer({ status, body }) {
      if (status === 200) for (const row of body.data as Row[]) ids.set(row.keyword, row.keyword_id);
    },
  });

  return {
    next(): Write {
      const action = actions++ % 6;
      if (action === 1) return list();
      if (action === 3) return change('tracked', 'PATCH', 'favorite') ?? list();
      if (action === 5) return change('favorite', 'DELETE', 'removed') ?? list();
      return track() ?? list();
    },
    /** Compares the list with the acknowledged writes. */
    compare(rows: readonly Row[]): { lost: string[]; twice: string[]; withoutScores: string[] } {
      const listed = new Map(rows.map((row) => [row.keyword, row]));
      const isAsAcknowledged = (keyword: string, state: State) => {
        const row = listed.get(keyword);
        if (state === 'open') return true;
        if (state === 'removed') return row === undefined;
        return row !== undefined && row.is_favorite === (state === 'favorite');
      };
      const lost = [...states].filter(([keyword, state]) => !isAsAcknowledged(keyword, state));
      const known = rows.filter(({ keyword }) => states.has(keyword));
      return {
        lost: lost.map(([keyword, state]) => `${keyword} is not ${state}`),
        twice: [
          ...rows.filter((row) => listed.get(row.keyword) !== row).map(({ keyword }) => `${keyword} twice`),
          ...(known.length === rows.length ? [] : ['a keyword that was never sent']),
        ],
        withoutScores: rows.filter((row) => row.traffic_score === null).map(({ keyword }) => keyword),
      };
    },
  };
}

export type KeywordWriter = ReturnType<typeof createKeywordWriter>;
