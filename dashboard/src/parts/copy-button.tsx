import { say } from './toasts.tsx';

/** A browser without https has no clipboard: the text is there to select. */
export function CopyButton({ text, label, copied }: { text: string; label: string; copied: string }) {
  if (!navigator.clipboard) return null;
  return (
    <button
      type="button"
      onClick={() =>
        navigator.clipboard.writeText(text).then(
          () => say(copied),
          () => {},
        )
      }
    >
      {label}
    </button>
  );
}
