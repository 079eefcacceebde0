import { useEffect, useState } from 'preact/hooks';
import * as texts from '#texts';
import { callApi } from '../../parts/api.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { ErrorNote } from '../../parts/error-note.tsx';
import { say } from '../../parts/toasts.tsx';
import { formatTime, isolated } from '../../text/format.ts';

const words = texts.shareLinks;

type Link = { id: number; label: string; expires_at: string };

/** Makes, copies and ends the links that show this app. They are read when the part is opened. */
export function ShareLinks({ appId }: { appId: string }) {
  const path = `/applications/${appId}/share-links`;
  const [isOpen, setIsOpen] = useState(false);
  const [links, setLinks] = useState<Link[] | null>(null);
  const [made, setMade] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setIsBusy] = useState(false);

  const run = async (work: () => Promise<void>) => {
    setError(null);
    setIsBusy(true);
    await work().catch(setError);
    setIsBusy(false);
  };
  const read = () =>
    run(async () => setLinks((await callApi<{ data: Link[] }>(path, { method: 'GET' })).data));
  useEffect(() => {
    if (isOpen && links === null) void read();
  }, [isOpen]);

  const make = (form: HTMLFormElement) => {
    const fields = new FormData(form);
    const body = { label: String(fields.get('label')).trim(), days: Number(fields.get('days')) };
    return run(async () => {
      const { data } = await callApi<{ data: Link & { address: string } }>(path, { method: 'POST', body });
      const { address, ...link } = data;
      setMade(address);
      setLinks((now) => [link, ...(now ?? [])]);
      form.reset();
    });
  };
  const end = ({ id, label }: Link) =>
    run(async () => {
      await callApi(`${path}/${id}`, { method: 'DELETE' });
      setLinks((now) => now?.filter((one) => one.id !== id) ?? null);
      say(words.ended(isolated(label)));
    });

  return (
    <details onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>{words.title}</summary>
      <p class="muted">{words.about}</p>
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          void make(event.currentTarget as HTMLFormElement);
        }}
      >
        <div>
          <label for="link-label">{words.label}</label>
          <input id="link-label" name="label" required maxLength={100} autocomplete="off" />
        </div>
        <div class="short">
          <label for="link-days">{words.days}</label>
          <input id="link-days" name="days" type="number" required min={1} max={90} value={30} />
        </div>
        <button type="submit" disabled={isBusy}>
          {words.submit}
        </button>
      </form>
      <ErrorNote error={error} />
      {made !== null && (
        <div class="note" role="status">
          <p>{words.once}</p>
          <pre>{made}</pre>
          <CopyButton text={made} label={words.copy} copied={words.copied} />
        </div>
      )}
      {links?.length === 0 && <p class="muted">{words.none}</p>}
      <ul class="list">
        {links?.map((link) => (
          <li key={link.id}>
            <bdi>{link.label}</bdi> <span class="muted">{words.until(formatTime(link.expires_at))}</span>{' '}
            <ConfirmButton
              label={words.end}
              name={words.endOf(link.label)}
              lost={words.lost}
              disabled={isBusy}
              onConfirm={() => void end(link)}
            />
          </li>
        ))}
      </ul>
    </details>
  );
}
