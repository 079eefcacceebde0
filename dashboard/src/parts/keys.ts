import { useLayoutEffect } from 'preact/hooks';

/** Calls what belongs to a key, unless someone types or holds another key with it. */
export function useKeys(actions: Readonly<Record<string, () => void>>): void {
  // Before the next key: after the picture would be too late for one who types fast.
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      const action = Object.hasOwn(actions, event.key) ? actions[event.key] : undefined;
      if (!action) return;
      event.preventDefault();
      action();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  });
}

/** Enter and letters belong to fields and buttons that have the focus. */
function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, select, button, a, summary') !== null;
}
