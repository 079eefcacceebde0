import { en, type Texts } from './en.ts';

/** A language of the pages. `#language` in package.json names the module of the one that they are built in. */
export type Language = {
  /** as HTML and `Intl` name it (BCP 47) */
  tag: string;
  direction: 'ltr' | 'rtl';
  texts: Texts;
  /** the folder in `dist` of the pages that are built in it */
  assets: string;
};

export const language: Language = { tag: 'en', direction: 'ltr', texts: en, assets: 'assets' };
