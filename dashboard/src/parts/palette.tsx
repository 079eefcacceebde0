import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Frame } from '../page-data.ts';
import { texts } from '../text/texts.ts';
import { callPage } from './api.ts';
import { switchShortcuts, useKeys } from './keys.ts';
import { say } from './toasts.tsx';

/** A place to go to. `go`: the letter that leads there after `g`. */
type Place = { label: string; href: string; go: string | null };

/** After `g`, so long the next letter counts. */
const goMs = 1500;
const shownPlaces = 12;

/** Ways by the keyboard: Ctrl or Cmd K asks where to go, `g` and a letter goes there, `?` says all keys and switches them off. */
export function Palette({ frame }: { frame: Frame }) {
  const places = useMemo(() => placesOf(frame), [frame]);
  const [text, setText] = useState('');
  const dialog = useRef<HTMLDialogElement>(null);
  const help = useRef<HTMLDialogElement>(null);
  const going = useRef(false);
  const [hasShortcuts, setHasShortcuts] = useState(frame.hasShortcuts);
  switchShortcuts(hasShortcuts);
  const change = (areOn: boolean) => {
    setHasShortcuts(areOn);
    callPage('/dashboard/shortcuts', { method: 'PUT', body: { has_shortcuts: areOn } }).catch(
      (error: Error) => {
        setHasShortcuts(!areOn);
        say(error.message);
      },
    );
  };
  const found = places
    .filter(({ label }) => label.toLowerCase().includes(text.trim().toLowerCase()))
    .slice(0, shownPlaces);

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      setText('');
      dialog.current?.showModal();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
  const letters = places.flatMap(({ go, href }) =>
    go === null ? [] : [[go, () => going.current && location.assign(href)] as const],
  );
  useKeys({
    ...Object.fromEntries(letters),
    g: () => {
      going.current = true;
      setTimeout(() => {
        going.current = false;
      }, goMs);
    },
    '?': () => help.current?.showModal(),
  });

  return (
    <>
      <button type="button" class="plain" onClick={() => help.current?.showModal()}>
        {texts.palette.keys}
      </button>
      <dialog ref={dialog} aria-label={texts.palette.title}>
        <form
          method="dialog"
          onSubmit={(event) => {
            event.preventDefault();
            if (found[0]) location.assign(found[0].href);
          }}
        >
          <label for="place">{texts.palette.title}</label>
          <input id="place" value={text} onInput={(event) => setText(event.currentTarget.value)} />
        </form>
        <ul class="list">
          {found.map(({ label, href }) => (
            <li key={href}>
              <a href={href}>
                <bdi>{label}</bdi>
              </a>
            </li>
          ))}
        </ul>
      </dialog>
      <dialog ref={help} aria-label={texts.palette.keys}>
        <h2>{texts.palette.keys}</h2>
        <dl class="keys">
          {texts.palette.list.map(([key, meaning]) => (
            <div key={key}>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{meaning}</dd>
            </div>
          ))}
        </dl>
        <label class="check">
          <input
            type="checkbox"
            checked={hasShortcuts}
            onChange={(event) => change(event.currentTarget.checked)}
          />
          {texts.palette.areOn}
        </label>
        <form method="dialog">
          <button type="submit">{texts.dismiss}</button>
        </form>
      </dialog>
    </>
  );
}

function placesOf({ apps, appId }: Frame): Place[] {
  const { overview, account, keywords, listing, simulator, rivals, niches, charts } = texts.nav;
  const current = apps.find(({ id }) => id === appId) ?? apps[0];
  return [
    { label: overview, href: '/dashboard', go: 'o' },
    ...(current
      ? [
          { label: current.title ?? current.storeId, href: `/dashboard/apps/${current.id}`, go: 'a' },
          { label: keywords, href: `/dashboard/apps/${current.id}/keywords`, go: 'k' },
          { label: listing, href: `/dashboard/apps/${current.id}/listing`, go: 'l' },
          { label: simulator, href: `/dashboard/apps/${current.id}/simulator`, go: 's' },
          { label: rivals, href: `/dashboard/apps/${current.id}/rivals`, go: 'r' },
        ]
      : []),
    { label: niches, href: '/dashboard/niches', go: 'n' },
    { label: charts, href: '/dashboard/charts', go: 't' },
    { label: account, href: '/dashboard/account', go: 'c' },
    ...apps
      .filter((app) => app !== current)
      .map((app) => ({ label: app.title ?? app.storeId, href: `/dashboard/apps/${app.id}`, go: null })),
  ];
}
