import { useRef } from 'preact/hooks';
import * as texts from '#texts';

/**
 * For what cannot be undone: the button asks first, and says what is lost. What can be made again exactly is done at once, with an undo
 * (`say`).
 * @param name what it does to what, for those who do not see the row
 */
export function ConfirmButton({
  label,
  name,
  lost,
  disabled = false,
  onConfirm,
}: {
  label: string;
  name: string;
  lost: string;
  disabled?: boolean;
  onConfirm: () => void;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  return (
    <>
      <button type="button" disabled={disabled} aria-label={name} onClick={() => dialog.current?.showModal()}>
        {label}
      </button>
      <dialog ref={dialog} aria-label={name}>
        <p>{lost}</p>
        <form method="dialog" class="row">
          <button type="submit">{texts.confirm.keep}</button>
          <button
            type="button"
            onClick={() => {
              dialog.current?.close();
              onConfirm();
            }}
          >
            {label}
          </button>
        </form>
      </dialog>
    </>
  );
}
