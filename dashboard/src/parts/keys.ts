import { useLayoutEffect } from 'preact/hooks';

/** Whether letters are shortcuts; one switch for the page. Keys with Ctrl or Cmd always are. */
let areOn = true;

export function switchShortcuts(isOn: boolean): void {
  areOn = isOn;
}

/** Calls what belongs to a key, unless someone types or holds another key with it. */
export function useKeys(actions: Readonly<Record<string, () => void>>): void {
  // Before the next key: after the picture would be too late for one who types fast.
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!areOn || event.ctrlKey || event.metaKey || event.altKey || isUsed(event)) return;
      const action = Object.hasOwn(actions, event.key) ? actions[event.key] : undefined;
      if (!action) return;
      event.preventDefault();
      action();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  });
}

/** Letters belong to fields and open dialogs. Enter belongs to what has the focus, where it does something. */
function isUsed({ target, key }: KeyboardEvent): boolean {
  if (!(target instanceof Element)) return false;
  const isField = target.closest('input:not([type=checkbox]), textarea, select, dialog[open]') !== null;
  return isField || (key === 'Enter' && target.closest('button, a, summary, input') !== null);
}
