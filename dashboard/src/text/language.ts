/** A language of the pages. `#language` and `#texts` in package.json name the modules of the one that they are built in. */
export type Language = {
  /** as HTML and `Intl` name it (BCP 47) */
  tag: string;
  direction: 'ltr' | 'rtl';
  /** the folder in `dist` of the pages that are built in it */
  assets: string;
};

export const language: Language = { tag: 'en', direction: 'ltr', assets: 'assets' };
