import type { Language } from './language.ts';

/**
 * The language of `pseudo-texts.ts`, for tests. Only a process that was started with the condition `shelfwise-pseudo` has it.
 */
export const language: Language = { tag: 'he', direction: 'rtl', assets: 'assets-pseudo' };
