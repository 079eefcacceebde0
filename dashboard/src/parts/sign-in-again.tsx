import { useId, useState } from 'preact/hooks';
import * as texts from '#texts';
import { ApiError, callPage } from './api.ts';
import { ErrorNote } from './error-note.tsx';

/** An error as a note; when the session has ended, with a way to sign in again that leaves the page and what is typed in it. */
export function ErrorOrSignIn({
  error,
  email,
  onRetry,
}: {
  error: unknown;
  /** the account of the page */
  email: string;
  onRetry: () => void;
}) {
  const hasEnded = error instanceof ApiError && error.code === 'SIGNED_OUT';
  return (
    <>
      <ErrorNote error={error} onRetry={onRetry} />
      {hasEnded && <SignInAgain email={email} onSignedIn={onRetry} />}
    </>
  );
}

function SignInAgain({ email, onSignedIn }: { email: string; onSignedIn: () => void }) {
  const id = useId();
  const [key, setKey] = useState('');
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setIsBusy] = useState(false);
  const signIn = async () => {
    setIsBusy(true);
    setError(null);
    try {
      const path = '/dashboard/session/key';
      const { data } = await callPage<{ data: { email: string } }>(path, { method: 'POST', body: { key } });
      if (data.email !== email) throw new Error(texts.simulator.otherAccount(email));
      onSignedIn();
    } catch (err) {
      setError(err);
    } finally {
      setKey('');
      setIsBusy(false);
    }
  };
  return (
    <form
      class="note"
      onSubmit={(event) => {
        event.preventDefault();
        void signIn();
      }}
    >
      <p>{texts.simulator.signInAgain}</p>
      <label for={id}>{texts.signIn.key}</label>
      <input
        id={id}
        type="password"
        autocomplete="current-password"
        required
        spellcheck={false}
        value={key}
        onInput={(event) => setKey(event.currentTarget.value)}
      />
      <p class="muted">{texts.signIn.keyHint}</p>
      <button class="main" type="submit" disabled={isBusy}>
        {texts.signIn.submit}
      </button>
      <ErrorNote error={error} />
    </form>
  );
}
