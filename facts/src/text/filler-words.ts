/** Title words that describe how an app is offered or praised, never its topic; in normal form. */
export const fillerWords: ReadonlySet<string> = new Set(
  `app apps application applications best big classic cool deluxe easy edition fast free full good great hd latest lite
  mini mobile new official offline online original plus premium pro simple super top ultimate version
  gratis gratuit gratuite gratuito kostenlos neu nuevo nouveau novo nuovo бесплатно приложение
  アプリ 無料 公式 新作 人気 앱 어플 무료 免费 免費 应用 官方`.split(/\s+/u),
);
