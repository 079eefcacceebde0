import { useState } from 'preact/hooks';
import * as texts from '#texts';
import { callApi } from './api.ts';
import { AppIcon } from './app-icon.tsx';
import { CutName } from './cut-name.tsx';
import { ErrorNote } from './error-note.tsx';
import { parseStoreAddress } from './parse-store-address.ts';

export type NewApp = { app_id: string; store: string; country: string; lang: string };

/**
 * Tracks an app and opens its keywords.
 * @throws ApiError
 */
export async function trackApp(app: NewApp): Promise<void> {
  const { data } = await callApi<{ data: { id: number } }>('/applications', { method: 'POST', body: app });
  location.assign(`/dashboard/apps/${data.id}/keywords`);
}

type Found = {
  app_id: string;
  title: string | null;
  icon: string | null;
  developer_name: string | null;
  is_tracked: boolean;
};

/**
 * By the address of its page in a store or its id there; or by words, with which the store is searched. That spends an API request,
 * and the page says so.
 */
export function TrackApp() {
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setIsBusy] = useState(false);
  const [found, setFound] = useState<{ apps: Found[]; at: Omit<NewApp, 'app_id'> } | null>(null);
  const words = texts.trackApp;

  const run = (work: () => Promise<void>) => {
    setError(null);
    setIsBusy(true);
    work()
      .catch(setError)
      .finally(() => setIsBusy(false));
  };
  const search = async (term: string, at: Omit<NewApp, 'app_id'>) => {
    const query = new URLSearchParams({ term, ...at });
    const { data } = await callApi<{ data: Found[] }>(`/apps/search?${query}`);
    setFound({ apps: data, at });
  };

  return (
    <>
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          const fields = new FormData(event.currentTarget as HTMLFormElement);
          const text = (name: string) => String(fields.get(name)).trim();
          const at = { store: text('store'), country: text('country').toUpperCase(), lang: text('lang') };
          const app = parseStoreAddress(text('address'), at);
          run(() => (app ? trackApp(app) : search(text('address'), at)));
        }}
      >
        <div>
          <label for="address">{words.address}</label>
          <input id="address" name="address" required placeholder={words.example} spellcheck={false} />
        </div>
        <div class="short">
          <label for="store">{words.store}</label>
          <select id="store" name="store">
            <option value="ITUNES">{texts.store.ITUNES}</option>
            <option value="GPLAY">{texts.store.GPLAY}</option>
          </select>
        </div>
        <div class="short">
          <label for="country">{words.country}</label>
          <input id="country" name="country" required maxLength={2} value="US" spellcheck={false} />
        </div>
        <div class="short">
          <label for="lang">{words.lang}</label>
          <input id="lang" name="lang" required value="en-US" spellcheck={false} />
        </div>
        <button class="main" type="submit" disabled={isBusy}>
          {isBusy ? texts.trackApp.tracking : words.submit}
        </button>
      </form>
      <p class="muted">{words.cost}</p>
      <ErrorNote error={error} />
      {found?.apps.length === 0 && <p role="status">{words.nothing}</p>}
      <ol class="list">
        {found?.apps.map(({ app_id: id, title, icon, developer_name: developer, is_tracked: isTracked }) => (
          <li key={id}>
            <CutName name={title ?? id} lang={found.at.lang}>
              <AppIcon store={found.at.store} id={id} name={title} hasIcon={icon !== null} />
            </CutName>{' '}
            <span class="muted">{developer !== null && <CutName name={developer} />}</span>{' '}
            {isTracked ? (
              <strong>{words.isTracked}</strong>
            ) : (
              <button
                type="button"
                disabled={isBusy}
                aria-label={texts.trackApp.trackOne(title ?? id)}
                onClick={() => run(() => trackApp({ app_id: id, ...found.at }))}
              >
                {words.track}
              </button>
            )}
          </li>
        ))}
      </ol>
    </>
  );
}
