import type { RuleWords } from './word-table.ts';

/**
 * Claims that an app is made for children, which both stores reserve for their own programs. "Kids" alone is not a
 * claim.
 */
export const kidsWords: RuleWords = {
  words: {
    en: 'for kids, for kid, for children, for the kids, kids approved, kid approved',
    fr: 'pour enfants, pour enfant, pour les enfants, pour les kids',
    de: 'für kinder, für kids, kindgerecht',
    es: 'para niños, para niñas, para los niños, para niñas y niños',
    pt: 'para crianças, para as crianças, para miúdos',
    it: 'per bambini, per i bambini, per bambine, per ragazzi',
    nl: 'voor kinderen, voor kids',
    sv: 'för barn, för barnen',
    ja: '子供向け, 子ども向け, こども向け, キッズ向け, 子供用, 子ども用, こども用, 幼児向け',
    ko: '어린이용, 어린이를 위한, 아이들을 위한, 아이를 위한, 아동용, 유아용, 키즈용',
    zh: '儿童专用, 兒童專用, 儿童版, 兒童版, 适合儿童, 適合兒童, 专为儿童, 專為兒童',
    ru: 'для детей, для ребенка, для ребёнка, для малышей',
    ar: 'للأطفال, للاطفال, مخصص للأطفال',
    tr: 'çocuklar için, çocuk için',
  },
  harmless: {},
};
