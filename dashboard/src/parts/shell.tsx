import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import * as texts from '#texts';
import type { AppHead, Frame, PageData } from '../page-data.ts';
import { type Way, waysTo } from '../pages.ts';
import { formatDay } from '../text/format.ts';
import { nameOfWay } from '../title-of.ts';
import { callPage } from './api.ts';
import { AppIcon } from './app-icon.tsx';
import { ErrorNote } from './error-note.tsx';
import { Palette } from './palette.tsx';
import { Toasts } from './toasts.tsx';
import { Troubles } from './troubles.tsx';

/** What is around the content of every page: the way to the other pages, and what the numbers are made of. */
export function Shell({
  frame,
  page,
  title,
  children,
}: {
  frame: Frame;
  page: PageData['page'];
  title: string;
  children: ComponentChildren;
}) {
  const app = frame.apps.find(({ id }) => id === frame.appId) ?? null;
  return (
    <>
      <a class="skip" href="#main">
        {texts.skip}
      </a>
      <header>
        <a class="brand" href="/dashboard">
          {texts.product}
        </a>
        {frame.isSample === true && <span class="badge">{texts.sampleCatalog}</span>}
        <span class="muted">{texts.today(formatDay(frame.today))}</span>
        <bdi class="end muted">{frame.account.email}</bdi>
        <Palette frame={frame} />
        <a href="/docs">{texts.nav.docs}</a>
        <SignOut />
      </header>
      <div class="body">
        <nav aria-label={texts.nav.label}>
          <ul>
            {waysTo(null).map((way) => (
              <WayTo key={way.page} way={way} isHere={page === way.page} />
            ))}
          </ul>
          <h2>{texts.nav.apps}</h2>
          {frame.apps.length === 0 && (
            <p class="muted">
              {texts.nav.noApps} <a href="/dashboard#address">{texts.nav.track}</a>
            </p>
          )}
          <ul>
            {frame.apps.map((one) => (
              <li key={one.id}>
                <a href={`/dashboard/apps/${one.id}`} aria-current={isHere(one, app, page, 'app')}>
                  <IconOf app={one} /> <StoreText app={one} />
                </a>
                {one.id === app?.id && (
                  <ul>
                    {waysTo(one.id)
                      .filter(({ page: to, isOfApp }) => isOfApp && to !== 'app')
                      .map((way) => (
                        <WayTo key={way.page} way={way} isHere={page === way.page} />
                      ))}
                  </ul>
                )}
              </li>
            ))}
          </ul>
        </nav>
        <main id="main" tabIndex={-1}>
          <Troubles frame={frame} />
          <h1>
            {page === 'app' && app ? (
              <>
                <IconOf app={app} /> <StoreText app={app} />
              </>
            ) : (
              title
            )}
          </h1>
          {children}
        </main>
      </div>
      <Toasts />
    </>
  );
}

/** The name of an app, in the language of its store. */
export function StoreText({ app }: { app: AppHead }) {
  return (
    <bdi lang={app.lang} dir="auto">
      {app.title ?? app.storeId}
    </bdi>
  );
}

export function IconOf({ app: { store, storeId, title, hasIcon } }: { app: AppHead }) {
  return <AppIcon store={store} id={storeId} name={title} hasIcon={hasIcon} />;
}

/** `US · en-US` and the store. */
export function Storefront({ app }: { app: AppHead }) {
  return <span class="muted">{`${texts.store[app.store]} · ${app.country} · ${app.lang}`}</span>;
}

function WayTo({ way: { page, href }, isHere: isCurrent }: { way: Way; isHere: boolean }) {
  return (
    <li>
      <a href={href} aria-current={isCurrent ? 'page' : undefined}>
        {nameOfWay(page)}
      </a>
    </li>
  );
}

function isHere(one: AppHead, app: AppHead | null, page: PageData['page'], of: PageData['page']) {
  return one.id === app?.id && page === of ? 'page' : undefined;
}

function SignOut() {
  const [error, setError] = useState<unknown>(null);
  const signOut = () =>
    callPage('/dashboard/session', { method: 'DELETE' }).then(
      () => location.assign('/dashboard/sign-in'),
      setError,
    );
  return (
    <>
      <button type="button" class="plain" onClick={signOut}>
        {texts.nav.signOut}
      </button>
      <ErrorNote error={error} />
    </>
  );
}
