import { fillerWords } from '@shelfwise/facts/text/filler-words';
import { stopWordsOf } from '@shelfwise/facts/text/stop-words';

/** Words that people add to a search but do not search for: what to do with anything, when, or how much of it. */
const vague = `
add ask come do does done find get give go keep know let lets look make makes need open see send set show start stop
take tell try turn use want dr mr mrs st vs via every day days daily today time now way thing things one two three
first last next all any many much more less lot lots little side kind
mach machen mehr viel alle täglich tag heute faire fais plus tout tous jour aujourd hoy día diario hacer más todo
毎日 今日 簡単 便利 매일 오늘 간단 每天 今天 简单 簡單
`
  .trim()
  .split(/\s+/u);

/**
 * Words that say nothing about a search by themselves: function words of the language, fillers of titles (`app`,
 * `free`) and vague words (`get`, `much`, `daily`).
 * @param lang BCP 47
 */
export function genericWordsOf(lang: string): ReadonlySet<string> {
  return new Set([...stopWordsOf(lang), ...fillerWords, ...vague]);
}
