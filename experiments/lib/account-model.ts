import type { Random } from '@shelfwise/runtime/random';
import type { Api, ApiAnswer } from '../../testing/system/api.ts';

const storefront = { store: 'ITUNES', country: 'US', lang: 'en-US' };

/**
 * The expected state of a row after all acknowledged writes. It is uncertain while an unanswered write may have
 * changed it.
 */
type Row = { isTracked: boolean; isFavorite: boolean; isUncertain: boolean };

const zeroCounts = {
  appsTracked: 0,
  appsUntracked: 0,
  keywordsTracked: 0,
  keywordsUntracked: 0,
  favorites: 0,
};

export type WriteKind = keyof typeof zeroCounts;

/**
 * An account's record of its acknowledged writes. Writes are sequential; the outcome of an unanswered write is
 * uncertain.
 */
export function createAccountModel(deps: { random: Random; appIds: string[]; words: string[] }) {
  const { random, appIds, words } = deps;
  const apps = new Map<string, Row & { id: number | null }>();
  const keywords = new Map<string, Row & { keywordId: number | null; appId: number; word: string }>();
  const acknowledged: Record<WriteKind, number> = { ...zeroCounts };
  const unanswered: Record<WriteKind, number> = { ...zeroCounts };

  /** Sends one write. Counts it as unanswered when no answer arrives. */
  async function send(kind: WriteKind, api: Api, ...call: Parameters<Api>): Promise<ApiAnswer> {
    try {
      return await api(...call);
    } catch (error) {
      unanswered[kind]++;
      throw error;
    }
  }

  /** Makes one random write and records its answer. Throws when no answer arrives. */
  async function write(api: Api): Promise<void> {
    const tracked = [...apps.values()].filter((app) => app.isTracked && !app.isUncertain && app.id !== null);
    const roll = random.next();
    if (tracked.length === 0 || roll < 0.2) return trackApp(api);
    const app = random.pick(tracked);
    const trackedRows = [...keywords.values()].filter(
      (row) => row.appId === app.id && row.keywordId !== null && row.isTracked && !row.isUncertain,
    );
    if (trackedRows.length === 0 || roll < 0.65) return trackKeyword(api, app.id as number);
    const row = random.pick(trackedRows);
    if (roll < 0.8) return setFavorite(api, row);
    if (roll < 0.96) return untrackKeyword(api, row);
    return untrackApp(api, app);
  }

  async function trackApp(api: Api): Promise<void> {
    const appId = random.pick(appIds);
    const row = apps.get(appId) ?? { isTracked: false, isFavorite: false, isUncertain: false, id: null };
    apps.set(appId, row);
    const wasUncertain = row.isUncertain;
    row.isUncertain = true;
    const { status, body } = await send('appsTracked', api, 'POST', '/applications', {
      app_id: appId,
      ...storefront,
    });
    if (status === 200) acknowledged.appsTracked++;
    expectOneOf(status, wasUncertain || row.isTracked ? [200, 409] : [200], 'track app', body);
    Object.assign(row, { isTracked: true, isUncertain: false });
    if (status === 200) row.id = Number(body.data.id);
    else row.id ??= await findAppId(api, appId);
  }

  async function untrackApp(api: Api, app: Row & { id: number | null }): Promise<void> {
    const rows = [...keywords.values()].filter((row) => row.appId === app.id);
    for (const row of [app, ...rows]) row.isUncertain = true;
    const { status, body } = await send('appsUntracked', api, 'DELETE', `/applications/${app.id}`);
    expectOneOf(status, [200], 'untrack app', body);
    acknowledged.appsUntracked++;
    for (const row of [app, ...rows])
      Object.assign(row, { isTracked: false, isFavorite: false, isUncertain: false });
  }

  async function trackKeyword(api: Api, appId: number): Promise<void> {
    const word = random.pick(words);
    const key = `${appId}:${word}`;
    const row = keywords.get(key) ?? {
      isTracked: false,
      isFavorite: false,
      isUncertain: false,
      keywordId: null,
      appId,
      word,
    };
    keywords.set(key, row);
    row.isUncertain = true;
    const { status, body } = await send('keywordsTracked', api, 'POST', '/keywords', {
      keywords: [word],
      app_id: appId,
      ...storefront,
    });
    expectOneOf(status, [200], 'track keyword', body);
    if (body.data.success_count === 1) acknowledged.keywordsTracked++;
    Object.assign(row, { isTracked: true, isUncertain: false, keywordId: null });
    const { body: list } = await api('GET', `/keywords?app_id=${appId}`);
    const found = list.data.find((listed: { keyword: string }) => listed.keyword === word);
    if (!found) throw new Error(`an acknowledged keyword is not listed: ${word}`);
    Object.assign(row, { keywordId: found.keyword_id, isFavorite: found.is_favorite });
  }

  async function setFavorite(
    api: Api,
    row: Row & { keywordId: number | null; appId: number },
  ): Promise<void> {
    const expected = !row.isFavorite;
    row.isUncertain = true;
    const path = `/keywords/${row.keywordId}/apps/${row.appId}/favorite`;
    const { status, body } = await send('favorites', api, 'PATCH', path, { is_favorite: expected });
    expectOneOf(status, [200], 'favorite', body);
    acknowledged.favorites++;
    Object.assign(row, { isFavorite: expected, isUncertain: false });
  }

  async function untrackKeyword(
    api: Api,
    row: Row & { keywordId: number | null; appId: number },
  ): Promise<void> {
    row.isUncertain = true;
    const { status, body } = await send(
      'keywordsUntracked',
      api,
      'DELETE',
      `/keywords/${row.keywordId}/apps/${row.appId}`,
    );
    expectOneOf(status, [200], 'untrack keyword', body);
    acknowledged.keywordsUntracked++;
    Object.assign(row, { isTracked: false, isFavorite: false, isUncertain: false });
  }

  /** Where the system differs from the acknowledged writes: lost writes, and reverted ones. */
  async function differences(api: Api): Promise<string[]> {
    const listedApps = new Set(
      (await api('GET', '/applications')).body.data.map((app: { app_id: string }) => app.app_id),
    );
    const listed = new Map<string, boolean>();
    for (let page = 1; ; page++) {
      const { body } = await api('GET', `/keywords?page=${page}&per_page=1000`);
      for (const row of body.data) listed.set(`${row.app_id}:${row.keyword}`, row.is_favorite);
      if (!body.meta?.has_more) break;
    }
    return [
      ...[...apps]
        .filter(([appId, row]) => !row.isUncertain && row.isTracked !== listedApps.has(appId))
        .map(([appId, row]) => `app ${appId} should be ${row.isTracked ? 'tracked' : 'removed'}`),
      ...[...keywords]
        .filter(([key, row]) => !row.isUncertain && row.isTracked !== listed.has(key))
        .map(([key, row]) => `keyword ${key} should be ${row.isTracked ? 'tracked' : 'removed'}`),
      ...[...keywords]
        .filter(
          ([key, row]) =>
            !row.isUncertain && row.keywordId !== null && row.isTracked && row.isFavorite !== listed.get(key),
        )
        .map(([key, row]) => `keyword ${key} should ${row.isFavorite ? '' : 'not '}be a favorite`),
    ];
  }

  return { acknowledged, unanswered, write, differences };
}

async function findAppId(api: Api, appId: string): Promise<number> {
  const { body } = await api('GET', '/applications');
  return Number(body.data.find((app: { app_id: string; id: number }) => app.app_id === appId)?.id);
}

function expectOneOf(status: number, expected: number[], what: string, body: unknown): void {
  if (!expected.includes(status)) throw new Error(`${what}: ${status} ${JSON.stringify(body)}`);
}
