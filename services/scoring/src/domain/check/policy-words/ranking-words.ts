import type { RuleWords } from './word-table.ts';

const spanishThings = `app, aplicación, aplicacion, juego, editor, editora, cámara, camara, calculadora, traductor, teclado,
  reproductor, navegador, radio, música, escáner, escaner, lector, buscador, calendario, agenda, vpn, precio, opción`;
const portugueseThings = `app, aplicativo, aplicação, aplicacao, jogo, editor, editora, câmera, câmara, camera, calculadora,
  tradutor, teclado, reprodutor, leitor, navegador, rádio, música, scanner, calendário, agenda, vpn, preço, opção`;

/**
 * `mejor` and `melhor` are also everyday adverbs ("aprende mejor"). They count as a claim after an article, before a
 * kind of app, or at the start of the text. The plural is always an adjective.
 */
function claims(one: string, many: string, articles: readonly string[], things: string): string {
  const named = things.split(',').map((thing) => `${one} ${thing.trim()}`);
  return [`^${one}`, many, ...articles.map((article) => `${article} ${one}`), ...named].join(', ');
}

/** Claims of a rank among other apps. "No. 1", "Nº1", "n°1" and "№ 1" all read as `no 1`. */
export const rankingWords: RuleWords = {
  words: {
    en: 'best, b e s t, top, #1, # one, no 1, no one app, number 1, number one, num 1',
    fr: 'meilleur*, top, numéro 1, numero 1, numéro un, num 1',
    de: 'beste, bester, bestes, besten, bestem, testsieger, testsiegerin, nr 1, nummer 1, nummer eins, platz 1',
    es: `${claims('mejor', 'mejores', ['el', 'la', 'lo', 'los', 'las'], spanishThings)}, número 1, numero 1,
      número uno, núm 1`,
    pt: `${claims('melhor', 'melhores', ['o', 'a', 'os', 'as'], portugueseThings)}, número 1, numero 1, número um`,
    it: 'migliore, migliori, miglior, numero 1, numero uno',
    nl: 'beste, nr 1, nummer 1, nummer één, nummer een',
    sv: 'bäst, bästa, nr 1, nummer 1, nummer ett',
    ja: `最高, ベスト, ベストアプリ*, ベストゲーム*, ベストカメラ*, トップ, トップアプリ*, トップゲーム*, トップカメラ*,
      最強アプリ*, 最強ゲーム*, 最強カメラ*, 最強ツール*, 最強のアプリ*, 最強のゲーム*, 最強のカメラ*, 最強のツール*,
      ナンバーワン, ナンバー 1, 1 位, 世界一, 日本一`,
    ko: `최고, 최고의, 최고로, 최고인, 최고입니다, 베스트, 1 위, 1 위의, 1 등, 1 등의, 1 등인, 일등, 넘버원, 넘버 원`,
    zh: `最佳, 最好, 最棒, 排名第一, 排行第一, 排行榜第一, 第一名, 第 1 名, 全球第一, 全国第一, 全國第一, 全网第一, 全網第一,
      国内第一, 國內第一, 行业第一, 行業第一, 世界第一, 顶级, 頂級, 榜首`,
    ru: 'лучший, лучшая, лучшее, лучшие, лучших, лучшего, лучшей, топ, номер 1, номер один',
    ar: 'أفضل, الأفضل, رقم 1, رقم ١, رقم واحد',
    tr: 'en iyi, en iyisi, en iyiler*, 1 numara, 1 numaralı, bir numara, bir numaralı',
  },
  harmless: {
    en: `best friend, best friends, best man, best before, personal best, personal bests, top down, top up, top ups,
      top hat, top hats, top secret, top speed, top spin, top view, top coat, on top, over the top, tip top, table top,
      desk top, lap top, roof top, hill top, hill tops, mountain top, mountain tops, tree top, tree tops, big top,
      tank top, tank tops, crop top, crop tops, counter top, stove top, spinning top, spinning tops, set top, flip top`,
    fr: 'meilleur ami, meilleure amie, meilleurs amis, meilleures amies, meilleure vie',
    de: 'beste freunde, beste freundin, beste freundinnen, bester freund, besten freunde, besten freund, besten freundin',
    es: `mejor amigo, mejor amiga, el mejor amigo, la mejor amiga, mejores amigos, mejores amigas, mejores días,
      mejores hábitos, mejor versión, la mejor versión, a lo mejor, lo mejor de ti, lo mejor de mí, lo mejor posible,
      mejor vida, mejor salud, mejor sueño, mejor descanso, mejor postura, mejor memoria, mejor dormir, mejor que,
      mejor no, mejor juntos, mejor contigo, mejor dicho, mejor tarde que nunca`,
    pt: `melhor amigo, melhor amiga, o melhor amigo, a melhor amiga, melhores amigos, melhores amigas, melhores dias,
      melhores hábitos, melhor versão, a melhor versão, o melhor de si, o melhor de mim, o melhor de você,
      o melhor possível, melhor vida, melhor saúde, melhor sono, melhor descanso, melhor postura, melhor memória,
      melhor dormir, melhor que, melhor juntos, melhor idade, a melhor idade, melhor dito, melhor dizendo`,
    it: 'migliore amico, migliore amica, migliori amici, migliori amiche, miglior amico, vita migliore',
    nl: 'beste vriend, beste vriendin, beste vrienden, beste vriendinnen',
    sv: 'bästa vän, bästa vänner, bästa vännen',
    ja: '最高気温, 最高裁, 最高血圧, 最高速, 最高値, 最高点, 最高記録, 最高齢, 世界一周, 日本一周',
    ko: '베스트 프렌드, 1 등 당첨*',
    zh: '最好的朋友, 最好朋友, 山顶, 山頂, 楼顶, 樓頂, 屋顶, 屋頂, 头顶, 頭頂',
    ru: 'лучший друг, лучшие друзья, лучшая подруга, лучшие подруги, лучшего друга',
    ar: 'أفضل صديق, أفضل صديقة, أفضل الأصدقاء, حياة أفضل, نوم أفضل',
    tr: 'en iyi arkadaş*, en iyi dost*, top oyun*, top patlat*, top at, top topla',
  },
};
