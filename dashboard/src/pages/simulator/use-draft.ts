import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { callApi, callPage } from '../../parts/api.ts';
import { createLatest } from '../../parts/latest.ts';
import type { FieldKey } from '../listing/model.ts';
import { addTerm, asLive, changedTexts, knownTexts } from './draft-texts.ts';
import type { SimulatorModel, Texts } from './model.ts';

/** What the check says of a field. */
export type FieldWarning = { level: 'error' | 'warning' | 'info'; message: string };

type CheckAnswer = { data: { fields: { field: FieldKey; warnings: FieldWarning[] }[]; notes: string[] } };

export type Checked = { warnings: Partial<Record<FieldKey, FieldWarning[]>>; notes: string[] };

/** A time: kept then. */
export type Keeping = { at: string } | 'busy' | 'none' | 'failed';

/** Between two calls of a kind, so that typing stays within the windows of the session. */
const checkPauseMs = 300;
const keepPauseMs = 600;

/** The draft of the page: kept and checked while it is typed, with one call of each kind in flight. */
export function useDraft({ app, fields, draft }: SimulatorModel) {
  const [texts, setTexts] = useState<Texts>(() => withAddedTerm(draft?.texts ?? asLive, fields));
  const [keeping, setKeeping] = useState<Keeping>(draft === null ? 'none' : { at: draft.keptAt });
  const [checked, setChecked] = useState<Checked>({ warnings: {}, notes: [] });
  const [keepError, setKeepError] = useState<unknown>(null);
  const [checkError, setCheckError] = useState<unknown>(null);
  /** What the gateway has, or is being sent. */
  const sent = useRef(draft?.texts ?? asLive);

  const keep = useMemo(
    () =>
      createLatest<Texts>(
        (value) =>
          keepTexts(app.id, value).then(
            (at) => {
              setKeeping((now) => (sent.current === value ? (at ?? 'none') : now));
              setKeepError(null);
            },
            (err) => {
              setKeeping('failed');
              setKeepError(err);
            },
          ),
        () => sleep(keepPauseMs),
      ),
    [app.id],
  );
  const check = useMemo(
    () =>
      createLatest<Texts>(
        (value) =>
          checkTexts(app.store, knownTexts(value, fields)).then((answer) => {
            setChecked(answer);
            setCheckError(null);
          }, setCheckError),
        () => sleep(checkPauseMs),
      ),
    [app.store, fields],
  );

  const send = (value: Texts) => {
    sent.current = value;
    setKeeping('busy');
    keep(value);
  };
  const change = (value: Texts) => {
    setTexts(value);
    send(value);
  };
  useEffect(() => {
    check(texts);
  }, [check, texts]);
  useEffect(() => {
    if (texts !== sent.current) send(texts);
  }, []);
  useEffect(() => {
    // What was typed last may still wait for its call. `pagehide` would be too late for a reload: the new page is read by then.
    const onLeave = () => {
      if (keeping === 'busy') void keepTexts(app.id, sent.current).catch(() => {});
    };
    addEventListener('beforeunload', onLeave);
    return () => removeEventListener('beforeunload', onLeave);
  }, [app.id, keeping]);

  const retry = () => {
    setKeepError(null);
    setCheckError(null);
    send(texts);
    check(texts);
  };
  return { texts, change, keeping, checked, error: keepError ?? checkError, retry };
}

/** Returns when it is kept; null: the draft is the live listing, and nothing is kept. */
async function keepTexts(appId: string, texts: Texts): Promise<{ at: string } | null> {
  const path = `/dashboard/apps/${appId}/draft`;
  const body = changedTexts(texts);
  if (Object.keys(body).length === 0) {
    await callPage(path, { method: 'DELETE', outlivesPage: true });
    return null;
  }
  const { data } = await callPage<{ data: { kept_at: string } }>(path, {
    method: 'PUT',
    body,
    outlivesPage: true,
  });
  return { at: data.kept_at };
}

async function checkTexts(store: string, known: Partial<Record<FieldKey, string>>): Promise<Checked> {
  if (Object.keys(known).length === 0) return { warnings: {}, notes: [] };
  const { data } = await callApi<CheckAnswer>('/metadata/check', {
    method: 'POST',
    body: { store, ...known },
  });
  return {
    warnings: Object.fromEntries(data.fields.map(({ field, warnings }) => [field, warnings])),
    notes: data.notes,
  };
}

/** With the term of the address, that "try it" of the listing has put there. It is taken out, so that a reload adds no other. */
function withAddedTerm(texts: Texts, fields: SimulatorModel['fields']): Texts {
  const query = new URLSearchParams(location.search);
  const term = query.get('add');
  const field = fields.find(({ key }) => key === query.get('field'));
  if (term === null || !field) return texts;
  history.replaceState(null, '', location.pathname);
  return addTerm(texts, fields, field, term);
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
