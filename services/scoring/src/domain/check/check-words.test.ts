import { listingFields } from '@shelfwise/facts/stores/listing-fields';
import type { Store } from '@shelfwise/facts/stores/store';
import fc from 'fast-check';
import { checkWords } from './check-words.ts';

const titleOf = { ITUNES: listingFields.ITUNES[0], GPLAY: listingFields.GPLAY[0] } as const;

function rulesIn(text: string, store: Store = 'GPLAY'): (string | null | undefined)[] {
  const field = titleOf[store];
  if (!field) throw new Error('a store without fields');
  return checkWords(store, field, text).map(({ rule }) => rule);
}

const refused: Record<string, Record<string, string[]>> = {
  price: {
    en: [
      'Free VPN',
      'VPN (FREE)',
      'Shoes Sale',
      'Discount Finder',
      'Cash Back',
      'Notes free of charge',
      'Radio free of ads',
      'cash-back',
      'Chess: no ads',
      'Ad-Free Chess',
      '50% off',
      'free2play',
      'F.R.E.E Photo Editor',
    ],
    fr: [
      'Échecs gratuits',
      'GRATUIT',
      'Jeu sans pub',
      'Promo du jour',
      'Mode : -20 % de réduction',
      "L'app gratuite",
    ],
    de: [
      'Kostenlose Spiele',
      'KOSTENLOS',
      'Gratis Musik',
      'Rabatte',
      'Schach ohne Werbung',
      'werbefreies Radio',
      'Radio umsonst hören',
    ],
    es: ['Oferta: editor de fotos', 'Juegos gratis', 'Música gratuita', 'Descuentos', 'Sin anuncios'],
    pt: ['Jogos grátis', 'JOGOS GRATIS', 'Descontos', 'Sem anúncios'],
    it: ['Giochi gratis', 'Sconti', 'Senza pubblicità', "L'offerta speciale"],
    nl: ['Gratis spellen', 'Korting', 'zonder reclame'],
    sv: ['Gratis spel', 'Rabatt', 'utan reklam', 'Reklamfri'],
    ja: [
      '無料ゲーム',
      '無料化',
      'セール中',
      'ｾｰﾙ',
      '割引クーポン',
      '広告なし',
      'フリー素材',
      'フリーアプリ地図',
    ],
    ko: [
      '완전무료 카메라',
      '평생무료 카메라',
      '전면무료',
      '무료 게임',
      '무료게임',
      '할인쿠폰',
      '세일',
      '광고 없는 게임',
    ],
    zh: ['免费小说', '免費小說', '打折', '无广告阅读', '限时促销'],
    ru: ['Бесплатные игры', 'Скидки', 'Без рекламы', 'РАСПРОДАЖА'],
    ar: ['العاب مجانية', 'مجّاني', 'كود خصم', 'بدون اعلانات'],
    tr: ['Ücretsiz oyun', 'BEDAVA', 'İNDİRİM', 'Reklamsız', 'REKLAMSIZ'],
  },
  ranking: {
    en: [
      'Best Notes',
      'BEST',
      'The #1 Diary',
      '# 1 Diary',
      'No. 1 Diary',
      'NO.1',
      '№1',
      'Nº 1',
      'n°1',
      'Number one',
      'Top Photos',
      'Top-rated',
      'Top10',
      'ＢＥＳＴ',
      'be\u200bst of us, B\u00adest',
    ],
    fr: ['Meilleures recettes', 'Le meilleur', 'Numéro 1', 'Top recettes'],
    de: ['Testsieger Radio', 'Beste Rezepte', 'Das Beste', 'Nr. 1', 'Nummer eins'],
    es: [
      'El mejor editor',
      'Las mejores recetas',
      'Mejores recetas',
      'Mejor cámara',
      '¡Mejor receta!',
      'Fotos: mejor aplicación',
      'Lo mejor del cine',
      'Número 1',
    ],
    pt: [
      'O melhor editor',
      'As melhores receitas',
      'Melhores receitas',
      'Melhor câmera',
      'Fotos: melhor aplicativo',
      'Número 1',
    ],
    it: ['Il migliore', 'Miglior editor', 'Numero uno'],
    nl: ['Beste recepten', 'Nummer 1'],
    sv: ['Bästa recepten', 'Bäst'],
    ja: [
      '最高のゲーム',
      'ベスト',
      'No.1アプリ',
      '人気ナンバーワン',
      'ランキング1位',
      'トップ',
      'ベストカメラ',
      'トップアプリ',
      '最強カメラ',
    ],
    ko: ['대한민국 1등 카메라', '최고의 게임', '인기 1위', '넘버원'],
    zh: ['最佳相机', '最好的相机', '排名第一', '顶级', '全网第一相机', '排行第一相机'],
    ru: ['Лучший редактор', 'Лучшие игры', 'Топ игр', '№1'],
    ar: ['أفضل محرر', 'الأفضل', 'افضل', 'رقم 1'],
    tr: ['En iyi editör', 'EN İYİ', '1 numara'],
  },
  'play-program': {
    en: [
      "Editor's Choice",
      'Editor’s choice',
      'Editors Choice',
      'App of the Year',
      '10 million downloads',
      '10M+ downloads',
      'Million+ downloads',
    ],
    fr: ['Choix de la rédaction', "Application de l'année", '5 millions de téléchargements'],
    de: ['App des Jahres', '10 Millionen Downloads', '10 Mio. Downloads'],
    es: ['App del año', 'Millones de descargas'],
    pt: ['Aplicativo do ano', 'Milhões de downloads'],
    it: ["App dell'anno", 'Milioni di download'],
    nl: ['App van het jaar', '2 miljoen downloads'],
    sv: ['Årets app', 'miljoner nedladdningar'],
    ja: ['100万ダウンロード突破', 'エディターズチョイス', 'エディターズ・チョイス'],
    ko: ['올해의 앱', '100만 다운로드', '에디터 추천'],
    zh: ['编辑推荐', '百万下载', '年度應用'],
    ru: ['Выбор редакции', '10 млн скачиваний'],
    ar: ['اختيار المحررين', 'مليون تحميل'],
    tr: ['Yılın Uygulaması', 'Editörün Seçimi'],
  },
  'call-to-action': {
    en: ['Download now', 'DOWNLOAD NOW!', 'install now', 'Play Now', 'Update now', 'Try it now'],
    fr: ['Téléchargez maintenant', 'Jouez maintenant'],
    de: ['Jetzt herunterladen', 'JETZT SPIELEN'],
    es: ['Descárgala ya', 'Descarga ahora', '¡Juega ahora!'],
    pt: ['Baixe agora', 'Jogue agora'],
    it: ['Scarica ora', 'Gioca subito'],
    nl: ['Probeer het nu', 'Download nu', 'Speel nu'],
    sv: ['Ladda ner nu', 'Spela nu'],
    ja: ['今すぐダウンロード', '今すぐ遊ぼう'],
    ko: ['지금 다운로드', '지금 플레이하세요'],
    zh: ['立即下载', '立即下載', '马上下载'],
    ru: ['Скачай сейчас', 'Играйте сейчас'],
    ar: ['حمّل الآن', 'العب الان'],
    tr: ['Hemen indir', 'ŞİMDİ OYNA'],
  },
  kids: {
    en: ['Drawing for kids', 'Games for Children'],
    fr: ['Jeux pour enfants'],
    de: ['Spiele für Kinder'],
    es: ['Juegos para niños'],
    pt: ['Jogos para crianças'],
    it: ['Giochi per bambini'],
    nl: ['Spellen voor kinderen'],
    sv: ['Spel för barn'],
    ja: ['子供向けゲーム', 'キッズ向け'],
    ko: ['어린이를 위한 게임', '아동용'],
    zh: ['儿童专用'],
    ru: ['Игры для детей'],
    ar: ['العاب للأطفال'],
    tr: ['Çocuklar için oyun'],
  },
  'rival-platform': {
    en: ['Remote for iPhone', 'iOS Launcher', 'App Store Guide', 'IPAD'],
    ja: ['アイフォン'],
    ko: ['아이폰용'],
    zh: ['苹果手机助手'],
    ru: ['Обои айфон'],
    ar: ['آيفون'],
  },
};

const examples = Object.entries(refused).flatMap(([rule, byLanguage]) =>
  Object.entries(byLanguage).flatMap(([lang, titles]) => titles.map((title) => [title, rule, lang] as const)),
);

test.each(examples)('"%s" breaks the rule %s of Google Play (%s)', (title, rule) => {
  expect(rulesIn(title)).toContain(rule);
});

test.each([
  ...[
    'bestow',
    'stop',
    'freedom',
    'topical',
    'freelance',
    'Bestiary',
    'laptop',
    'wholesale',
    'Salesman',
    'adfreedom',
  ],
  ...[
    'Desktop',
    'Freeze',
    'Toppings',
    'No. 10 Downing',
    '#10 ways',
    'No. 1,000',
    'Issue #1000',
    'Biosphere',
    'Androids',
  ],
  ...[
    'Kids Drawing',
    'Children',
    'Play Piano',
    'Download Manager',
    'Now Playing',
    'Radios',
    'try, now and then',
  ],
  ...[
    'Hands-free calls',
    'Sugar Free Recipes',
    'Duty-free',
    'Top-down Racer',
    'Best Friends Quiz',
    'Cars for sale',
  ],
  ...[
    'Organiza mejor tu tiempo',
    'Aprende mejor inglés',
    'Viva mejor: salud diaria',
    'El mejor amigo del perro',
    'A lo mejor mañana',
    'Mejor sueño cada noche',
    'Organize melhor o seu tempo',
    'Cada vez melhor: inglês',
    'O melhor amigo do cão',
    'Ofertas de empleo',
    'Mejor dicho: frases',
    'Mejor tarde que nunca',
    'A melhor idade',
    'Melhor idade: amizade',
    'Melhor dizendo: frases',
  ],
  ...[
    'Sale e Pepe: Ricette',
    'Poco sale',
    'Sale temps - Météo',
    'Free Cell Solitaire',
    'Allergen Free Food Scanner',
  ],
  ...[
    'Barrier-Free Maps',
    'Distraction-free Writer',
    'Step-free Travel',
    'Free up Storage',
    'Set Free',
    'Break free',
  ],
  ...[
    'Mountain Top Weather',
    'Big Top Circus',
    '山顶级天气',
    '特价值管理',
    '1등급 국어',
    '최강 야구',
    '最強の軍師',
  ],
  ...['Réduction de bruit', 'Vive mejor', 'Meilleure amie', 'Gratuity', 'Promoter', 'Gratin'],
  ...[
    'ベストセラー',
    'セールスマン',
    'フリーランス',
    'デスクトップ',
    'アルファベスト',
    '最高気温',
    '世界一周',
    '21位',
    '有料',
  ],
  ...[
    '세일러문',
    '최고기온',
    '무료함',
    '무료급식 지도',
    '무료 급식소 찾기',
    '11위',
    '减免费用',
    '第一人称',
    '免税',
    '最好的朋友',
  ],
  ...['Лучше сон', 'Топливо', 'Скидыш', 'Top Oyunu', 'Topla', 'حياة أفضل', 'Kostenplan', 'Sale​sman'],
])('"%s" breaks no rule: only whole words count, and fixed phrases claim nothing', (title) => {
  expect(rulesIn(title)).toEqual([]);
});

test.each([
  ['Free photo editor', 'price'],
  ['Best photo editor', 'ranking'],
  ['Photo editor: try now', 'call-to-action'],
  ['Drawing for kids', 'kids'],
  ['Like Android', 'rival-platform'],
  ['Google Play Remote', 'rival-platform'],
])('on the App Store a reviewer may object to "%s" (%s), in name and subtitle', (text, rule) => {
  for (const field of listingFields.ITUNES.slice(0, 2)) {
    expect(checkWords('ITUNES', field, text)).toMatchObject([{ level: 'warning', rule }]);
  }
  for (const field of listingFields.ITUNES.slice(2)) expect(checkWords('ITUNES', field, text)).toEqual([]);
});

test('each store objects only to the other one’s name', () => {
  expect(rulesIn('Android Widgets')).toEqual([]);
  expect(rulesIn('iPhone Widgets', 'ITUNES')).toEqual([]);
  expect(rulesIn('Editor’s Choice', 'ITUNES')).toEqual([]);
});

test('Google Play refuses words in the name; in the short description they are warnings, in the full one only a rival is', () => {
  const text = 'Best free app of the year for kids on iOS: play now';
  const levels = listingFields.GPLAY.map((field) => [
    field.key,
    Object.fromEntries(checkWords('GPLAY', field, text).map(({ rule, level }) => [rule, level])),
  ]);
  const errors = {
    price: 'error',
    ranking: 'error',
    'play-program': 'error',
    'call-to-action': 'error',
    kids: 'error',
  };
  expect(Object.fromEntries(levels)).toEqual({
    title: { ...errors, 'rival-platform': 'warning' },
    subtitle: Object.fromEntries([...Object.keys(errors), 'rival-platform'].map((rule) => [rule, 'warning'])),
    description: { 'rival-platform': 'warning' },
  });
});

test('each rule gives one warning that quotes the words as written, each once, the longest match', () => {
  const [field] = listingFields.GPLAY;
  if (!field) throw new Error('no field');
  expect(checkWords('GPLAY', field, 'FREE, Ad-Free & free')).toEqual([
    {
      level: 'error',
      rule: 'price',
      message:
        'Google Play refuses words about price or promotions in the App name: "FREE", "Ad-Free". They may stay if they are part of the brand.',
    },
  ]);
});

test('Turkish capitals with and without their dots are the same word, quoted once', () => {
  const [field] = listingFields.ITUNES;
  if (!field) throw new Error('no field');
  const messages = checkWords('ITUNES', field, 'İNDİRİM, INDIRIM, indirim').map(({ message }) => message);
  expect(messages).toEqual([expect.stringContaining('in the Name: "İNDİRİM".')]);
});

const claims = ['free', 'no ads', 'best', 'download now', 'for kids', 'iphone', "editor's choice"];
const fillers = ['garden', 'Blume', 'forêt', 'план', 'حديقة'];

test('neither order, letter case nor punctuation changes which rules are broken', () => {
  const arbitrary = fc.shuffledSubarray([...claims, ...fillers], { minLength: 1 });
  fc.assert(
    fc.property(arbitrary, (parts) => {
      const text = parts.join('; ');
      const once = rulesIn(text);
      expect(rulesIn(text.toUpperCase())).toEqual(once);
      expect(rulesIn(parts.toReversed().join(' | '))).toEqual(once);
      expect(once).toHaveLength(
        new Set(parts.filter((part) => claims.includes(part)).flatMap((part) => rulesIn(part))).size,
      );
    }),
  );
});

test('a listed word inside another word never counts', () => {
  const letter = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz');
  const words = ['free', 'best', 'top', 'sale', 'discount', 'ios', 'iphone'];
  // With an ending, some listed words become other listed words.
  const own = new Set(['beste', 'bester', 'bestes', 'besten', 'bestem', 'discounts', 'iphones']);
  fc.assert(
    fc.property(fc.constantFrom(...words), letter, fc.boolean(), (word, added, isBefore) => {
      const longer = isBefore ? added + word : word + added;
      expect(rulesIn(longer)).toHaveLength(own.has(longer) ? 1 : 0);
    }),
  );
});
