import type { Store } from '@shelfwise/facts/stores/store';
import type { RuleWords } from './word-table.ts';

const sameEverywhere = { fr: '', de: '', es: '', pt: '', it: '', nl: '', sv: '', tr: '' };

/** The other platform's names, by the store that objects to them. Most languages use the English names. */
export const rivalPlatformWords: Readonly<Record<Store, RuleWords>> = {
  ITUNES: {
    words: {
      ...sameEverywhere,
      en: 'android, google play, play store',
      ja: 'アンドロイド, グーグルプレイ, グーグル プレイ',
      ko: '안드로이드*, 구글플레이*, 구글 플레이*, 플레이스토어*, 플레이 스토어*',
      zh: '安卓',
      ru: 'андроид, андроида, андроиде, гугл плей',
      ar: 'أندرويد, الأندرويد, جوجل بلاي',
    },
    harmless: {},
  },
  GPLAY: {
    words: {
      ...sameEverywhere,
      en: 'iphone, iphones, ipad, ipads, ios, ipados, app store, appstore',
      ja: 'アイフォン, アイフォーン, アップストア',
      ko: '아이폰*, 아이패드*, 앱스토어*, 앱 스토어*',
      zh: '苹果手机, 蘋果手機, 苹果商店, 蘋果商店',
      ru: 'айфон, айфона, айфоне, айфонов, айпад, айпада',
      ar: 'آيفون, الآيفون, آيباد, آب ستور',
    },
    harmless: {},
  },
};
