/** Letters and digits that are mouths of faces. */
const mouthLetters = 'ωДдᴥᴗᴖᵕᗜᗢヮロエェｪへ人皿益ツシーｰwWoOｏ0３3εзʖㅅ³₃ɛ';
/** A mouth: one to three of these letters and of signs. */
const mouthSign = `(?:[${mouthLetters}]|[^\\p{L}\\p{N}()（）])`;
const mouth = `${mouthSign}{1,3}`;
/** Mouths of eyes that are also plain punctuation: only what no other text has between two such signs. */
const clearMouth = '[_＿▽△∇ωДдᴥ﹏ヮ益▼⌣︵皿◇□ロ‿∀ェｪᴗᵕᗜᗢ◡‸]{1,2}';
/** Eyes, and arms or hands before them, of faces whose two sides differ: a wink, a look aside. */
const eyes = "[＾^°º˚˘ﾟ•･・·◉◎●○◕◔⊙☉◠◡ᵔᵒ⁀Φಠಥ≖ꈍ✧★☆♥❤✿❁◍╥▀■¯￣눈<>＜＞≦≧⇀↼'‘’`´｀~～－つっ⊂⊃-]";

/** Cheeks, arms and sweat around the eyes. */
const around = '[*＊｡。.,，;；:=＝~～\'’"“”´`｀^＾⌐っつづノﾉヽシ๑˶‶งლςΣσヾو\\p{So}\\p{Sk}°∩⊂⊃]{0,4}?';

/** What is between brackets, by the eyes. */
const faces = [
  `([＾^°º˚˘ﾟ•･・◉◎●○◕◔⊙☉◠◡ᵔ¬ಠಥ≖ꈍ✧★☆♥❤✿╥▀■¯￣눈])(?:(?!\\1)${mouthSign}){1,3}\\1`,
  `([-－—=＝~～'’"*＊;；@＠$＄.．,])${clearMouth}\\1`,
  '([＾^¬])\\1',
  '[TＴ][_＿.▽ωДロ﹏∀o^ェㅅ][TＴ]',
  '[oO][_＿.][oO]',
  '([uUQ])[_＿.‿]\\1',
  '([xX0nNvVㅠㅜㅡㅇ;])[_＿ㅅ]\\1',
  `[´｀\`'’]${mouth}[´｀\`]`,
  `[´｀\`]${mouth}['’]`,
  '[>＞≧][_＿.ω▽∀﹏oO^人皿◡ᴗ-]{0,2}[<＜≦]',
  `${eyes}${clearMouth}${eyes}`,
  '([・･])\\1',
  '[ᐛᐖ]',
  '__',
].map((face) => new RegExp(`^${around}${face}${around}$`, 'u'));

/** A short text in brackets: faces are seldom longer, with their marks. */
const inBrackets = /[(（ʕ][^()（）ʕʔ\n]{2,24}[)）ʔ]/gu;

/** Faces without brackets, whose eyes are rarely anything else. */
const bare =
  /([＾◕ಠಥ⊙☉╥◔≖˘≧])[_＿.‿▽∇ω∀Д益ᴥ﹏□△◡ᴗㅅ]{1,2}(?:\1|≦)|\^[‿▽∇ω∀Д]\^|ᵔ ?[ᵕᴗ◡‿] ?ᵔ|＾＾|[´｀`][･・;；]?ω[･・;；]?[´｀`]|[・･°•]\p{M}?[ωДᴥᴗ∀□▽‿][・･°•]\p{M}?|([ㅠㅜ])\2+|┻━+┻|(?<![\p{L}\p{N}_])([TＴQxXuUnNㅠㅜㅡㅇ;@=~*$•・])_\3(?![\p{L}\p{N}_])|(?<![\p{L}\p{N}._])\._\.(?![\p{L}\p{N}._])/gu;

/** The faces that a text draws with signs of any script, such as `(＾▽＾)`, each once, in order. */
export function findKaomoji(text: string): string[] {
  const bracketed = (text.match(inBrackets) ?? []).filter(isFace);
  const rest = bracketed.reduce((left, found) => left.replaceAll(found, ' '), text);
  return [...new Set([...bracketed, ...(rest.match(bare) ?? [])])];
}

/** Marks, spaces and invisible characters do not matter: `( ͡° ͜ʖ ͡°)` is `(°ʖ°)`. */
function isFace(bracketed: string): boolean {
  const plain = bracketed
    .slice(1, -1)
    .normalize('NFD')
    .replace(/[\p{M}\s\p{Default_Ignorable_Code_Point}]/gu, '')
    .normalize('NFC');
  return faces.some((face) => face.test(plain));
}
