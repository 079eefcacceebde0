/** The options of a storefront. */
export const storefrontOptions = {
  store: {
    value: 'STORE',
    choices: ['ITUNES', 'GPLAY'],
    parameter: 'store',
    text: 'ITUNES is the App Store, GPLAY is Google Play',
  },
  country: { value: 'CC', parameter: 'country', text: 'country, such as US' },
  lang: { value: 'LANG', parameter: 'lang', text: 'language, such as en-US' },
} as const;
