const dayMs = 86_400_000;
const firstDepth = 30;
/** A page is due a week after the one before was, to the hour, so that it may come with the reading of the next day. */
const longestShown = 8;
/** Of a page whose scores are complete; others may be replaced on the next day. One that comes a day late is followed by one on time. */
const shortestShown = 6;

/**
 * Remembers what was read of each term on each day, and says where what accounts see of public terms that they do not track is not
 * the page of one of these days, with its scores, or comes too early or too late.
 */
export function createPublicPages() {
  /** By term: what was read, by day. */
  const read = new Map();
  /** By term: the days of its public pages, and whether the scores of each are complete. */
  const shown = new Map();

  return {
    /** After all that was due on a day was read. */
    remember({ terms }) {
      for (const { _id: id, ranking, reading, score, public_page: page } of terms) {
        if (page) shown.set(id, (shown.get(id) ?? new Map()).set(page.day, isComplete(page.score)));
        if (!ranking || reading?.page?.day !== ranking.day) continue;
        const days = read.get(id) ?? new Map();
        days.set(ranking.day, { ids: ranking.app_ids, apps: reading.page.apps, score });
        read.set(id, days);
      }
    },

    /** One text for each difference. */
    differences({ terms }, at) {
      const today = at.toISOString().slice(0, 10);
      return terms.flatMap(({ _id: id, public_until: until, public_page: page, ranking }) => {
        if (!(until > at) || !ranking) return [];
        if (!page) return [`${id}: it is public and read, and shows no page`];
        return [
          ...wrongPage(page, read.get(id)?.get(page.day)),
          ...wrongDays(page.day, today, shown.get(id)),
        ].map((text) => `${id}: ${text}`);
      });
    },
  };
}

function wrongPage({ day, first_ids: ids, score }, known) {
  if (!known) return [`no page was read on ${day}`];
  const texts = [];
  if (JSON.stringify(ids) !== JSON.stringify(known.ids.slice(0, firstDepth)))
    texts.push(`its ids are not those that were read on ${day}`);
  for (const field of ['traffic', 'difficulty', 'is_partial', 'search_status', 'results'])
    if (score[field] !== known.score?.[field])
      texts.push(`${field} ${score[field]} instead of ${known.score?.[field]}, which was read on ${day}`);
  const keys = known.apps.slice(0, 10).flatMap(({ genre_key: key }) => key ?? []);
  const counted = (score.genres ?? []).flatMap(({ key, apps }) => Array(apps).fill(key));
  if (JSON.stringify(keys.sort()) !== JSON.stringify(counted.sort())) texts.push('its genres are others');
  return texts;
}

function wrongDays(day, today, days = new Map()) {
  const age = (Date.parse(today) - Date.parse(day)) / dayMs;
  const sorted = [...days.keys()].sort();
  const isEarly = (one, before) =>
    days.get(before) && (Date.parse(one) - Date.parse(before)) / dayMs < shortestShown;
  const texts = age > longestShown ? [`its page is ${age} days old`] : [];
  return sorted.slice(1).some((one, index) => isEarly(one, sorted[index]))
    ? [...texts, `it changed on ${sorted.join(', ')}`]
    : texts;
}

function isComplete({ traffic, difficulty, is_partial: isPartial }) {
  return traffic !== null && difficulty !== null && !isPartial;
}
