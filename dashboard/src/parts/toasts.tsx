import { useEffect, useState } from 'preact/hooks';
import * as texts from '#texts';

type Toast = { id: number; message: string; undo: (() => void) | null };

/** Long enough to read and to reach the button; the keyboard or the pointer on it holds it. */
const shownMs = 10_000;

let next = 0;
let show: ((toast: Toast) => void) | null = null;

/** Says what was done, with a way back. */
export function say(message: string, undo: (() => void) | null = null): void {
  show?.({ id: next++, message, undo });
}

export function Toasts() {
  const [toast, setToast] = useState<Toast | null>(null);
  const [isHeld, setIsHeld] = useState(false);
  show = setToast;
  useEffect(() => {
    if (!toast || isHeld) return;
    const timer = setTimeout(() => setToast(null), shownMs);
    return () => clearTimeout(timer);
  }, [toast, isHeld]);
  return (
    <div
      class="toasts"
      role="status"
      onMouseEnter={() => setIsHeld(true)}
      onMouseLeave={() => setIsHeld(false)}
      onFocusCapture={() => setIsHeld(true)}
      onBlurCapture={() => setIsHeld(false)}
    >
      {toast && (
        <p key={toast.id}>
          {toast.message}{' '}
          {toast.undo && (
            <button
              type="button"
              onClick={() => {
                toast.undo?.();
                setToast(null);
              }}
            >
              {texts.undo}
            </button>
          )}
          <button type="button" class="plain" onClick={() => setToast(null)}>
            {texts.dismiss}
          </button>
        </p>
      )}
    </div>
  );
}
