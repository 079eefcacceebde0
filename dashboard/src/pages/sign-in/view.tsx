import { useEffect, useState } from 'preact/hooks';
import * as texts from '#texts';
import { callPage } from '../../parts/api.ts';
import { ErrorNote } from '../../parts/error-note.tsx';
import type { SignInModel } from './model.ts';

/**
 * Sign in by a pasted key, or by the one-time code in the fragment of the address. The code is taken out of the address at once.
 * The account is named, and signing in asks for a click: a link alone signs no one in.
 */
export function SignIn({ model }: { model: SignInModel }) {
  const [code, setCode] = useState(takeCode);
  const [email, setEmail] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setIsBusy] = useState(false);
  // A link that is opened on this page loads nothing.
  useEffect(() => {
    const onHashChange = () => setCode((known) => takeCode() ?? known);
    addEventListener('hashchange', onHashChange);
    return () => removeEventListener('hashchange', onHashChange);
  }, []);
  useEffect(() => {
    if (code)
      callPage<{ data: { email: string } }>('/dashboard/session/link/account', {
        method: 'POST',
        body: { code },
      }).then(({ data }) => setEmail(data.email), setError);
  }, [code]);

  const signIn = (way: 'key' | 'link', body: object) => {
    setIsBusy(true);
    setError(null);
    callPage(`/dashboard/session/${way}`, { method: 'POST', body }).then(
      () => (model.isForConnection ? location.reload() : location.assign('/dashboard')),
      (err: unknown) => {
        setError(err);
        setIsBusy(false);
      },
    );
  };
  const words = texts.signIn;
  return (
    <main id="main" class="narrow">
      <h1>{texts.titles.signIn}</h1>
      {model.isForConnection && <p>{words.forConnection}</p>}
      {email !== null && code !== null && (
        <p>
          <button type="button" class="main" disabled={isBusy} onClick={() => signIn('link', { code })}>
            {words.continueAs(email)}
          </button>
        </p>
      )}
      <ErrorNote error={error} />
      <form
        onSubmit={(event) => {
          event.preventDefault();
          signIn('key', { key: new FormData(event.currentTarget as HTMLFormElement).get('key') });
        }}
      >
        <label for="key">{words.key}</label>
        <input id="key" name="key" type="password" autocomplete="off" required spellcheck={false} />
        <p class="muted">{words.keyHint}</p>
        <button class="main" type="submit" disabled={isBusy}>
          {words.submit}
        </button>
      </form>
      <p class="muted">{words.linkHint}</p>
      <pre>npm run account -- sign-in --email you@example.com</pre>
    </main>
  );
}

function takeCode(): string | null {
  const code = location.hash.slice(1);
  if (!code.startsWith('sw_link_')) return null;
  history.replaceState(null, '', location.pathname + location.search);
  return code;
}
