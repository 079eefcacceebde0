import { addDays, daysFrom, medianOf, pageOf, rankIn } from './formulas.mjs';
import { trackedKeywords } from './tracked.mjs';
import { createVisibility } from './visibility.mjs';

const shownFields = ['title', 'subtitle', 'description', 'version'];
const effectDays = [7, 14, 28];
const leastKeywords = 3;
const mostKeywords = 20;
/** Of a group and the control together: fewer keywords have too few divisions into two groups. */
const leastCompared = 7;
const notRanked = 101;
const permutations = 1000;

/**
 * The changes of an application's listing, with those of its competitors, newest first, and what followed.
 * `moved` is `true`, `false` or `null` as in the answer, or `either` where the permutations that were drawn here leave it open.
 * @param app as for the share of voice; no simulation predicted a change
 */
export function listingChanges(documents, owner, app, query, today) {
  const { listing, competitors, words } = app;
  const listings = [listing, ...(query.competitors ? competitors : [])];
  const own = changesOf(documents, listing, words);
  const all = listings
    .flatMap((one) => (one === listing ? own : changesOf(documents, one, words)))
    .filter(({ row }) => row.date >= query.from && row.date <= query.to)
    .sort(
      (one, other) =>
        other.readAt - one.readAt || one.listing._id - other.listing._id || other.revision - one.revision,
    );
  const { data, meta } = pageOf(all, query);
  const effectOf = createEffects(documents, owner, { ...app, own, today });
  const rows = data.map((change) => ({
    ...change.row,
    app: { app_id: change.listing.app_id, title: change.listing.title, is_own: change.listing === listing },
    simulation_id: null,
    predicted_delta: null,
    effect: change.listing === listing && query.effects !== false ? effectOf(change) : null,
  }));
  return { data: rows, meta: { ...meta, from: query.from, to: query.to, truncated: false } };
}

/** The revisions of a listing that show another text or other pictures. */
function changesOf(documents, listing, words) {
  let description = null;
  const revisions = documents.versions
    .filter((row) => row.listing_id === listing._id)
    .sort((one, other) => one.revision - other.revision)
    .map((row) => {
      // Only a revision that changes the description has it.
      description = row.description ?? description;
      return { ...row, description };
    });
  return revisions.slice(1).flatMap((after, at) => {
    const before = revisions[at];
    const fields = shownFields.flatMap((field) => {
      const [old, fresh] = [before[field] ?? null, after[field] ?? null];
      if (old === null || fresh === null || old === fresh) return [];
      const [gone, come] = [old, fresh].map((text) => [
        ...new Set(field === 'version' ? [] : words.wordsIn(text)),
      ]);
      return [
        {
          field,
          before: old,
          after: fresh,
          words_added: come.filter((word) => !gone.includes(word)),
          words_removed: gone.filter((word) => !come.includes(word)),
        },
      ];
    });
    const {
      screenshots_added: added,
      screenshots_removed: removed,
      icon_changed: isOther,
    } = after.images ?? {};
    if (fields.length === 0 && !added && !removed && !isOther) return [];
    return [
      {
        listing,
        revision: after.revision,
        readAt: after.read_at,
        before,
        after,
        row: {
          id: `${listing._id}:${after.revision}`,
          date: after.read_at.toISOString().slice(0, 10),
          version: after.version ?? null,
          fields,
          screenshots: added == null ? null : { added, removed },
          icon_changed: isOther ?? null,
          rating_before: before.score ?? null,
          rating_after: after.score ?? null,
        },
      },
    ];
  });
}

/** How ranks and visibility moved after each change of the application; null: seven days have not passed. */
function createEffects(documents, owner, { listing, words, own, today }) {
  const tracked = trackedKeywords(documents, owner, listing).sort(
    (one, other) => one.favorite_order - other.favorite_order || (one.keyword < other.keyword ? -1 : 1),
  );
  const rankOn = new Map(
    documents.snapshots.map((row) => [
      `${row.keyword_id} ${row.day}`,
      rankIn(row.app_ids, listing.app_id) ?? notRanked,
    ]),
  );
  const visibilityOn = createVisibility(documents, listing);

  /** The forms of the name and subtitle that are known before and after: the App Store's search does not read the description. */
  function searchedForms({ before, after }) {
    const known = ['title', 'subtitle'].filter((field) => before[field] != null && after[field] != null);
    return [before, after].map(
      (version) => new Set(known.flatMap((field) => words.contentOf(version[field]))),
    );
  }

  function groupsOf(change) {
    const [old, fresh] = searchedForms(change);
    const groups = { added: [], removed: [], control: [] };
    for (const { keyword, keyword_id: id } of tracked) {
      const forms = words.contentOf(keyword);
      const isAdded = forms.some((form) => fresh.has(form) && !old.has(form));
      const isRemoved = forms.some((form) => old.has(form) && !fresh.has(form));
      if (isAdded) groups.added.push(id);
      if (isRemoved) groups.removed.push(id);
      if (!isAdded && !isRemoved) groups.control.push(id);
    }
    return Object.fromEntries(
      Object.entries(groups).map(([name, ids]) => [name, ids.slice(0, mostKeywords)]),
    );
  }

  return function effectOf(change) {
    const { date } = change.row;
    const passed = effectDays.filter((days) => addDays(date, days) <= today);
    if (passed.length === 0) return null;
    const groups = groupsOf(change);
    const isCompared = [groups.added, groups.removed].some(({ length }) => length >= leastKeywords);
    return passed.map((days) => {
      const before = daysFrom(addDays(date, -days), addDays(date, -1));
      const after = daysFrom(addDays(date, 1), addDays(date, days));
      const isEnough = (known) => known.length >= 0.8 * days;
      const isRead = (id) =>
        [before, after].every((half) => isEnough(half.filter((day) => rankOn.has(`${id} ${day}`))));
      const readGroup = (ids) => {
        const read = isCompared ? ids.filter(isRead) : [];
        if (read.length < leastKeywords) return { keywords: ids.length, read: null };
        const series = read.map((id) =>
          [...before, ...after].map((day) => rankOn.get(`${id} ${day}`) ?? null),
        );
        const medians = [
          series.map((ranks) => ranks.slice(0, days)),
          series.map((ranks) => ranks.slice(days)),
        ];
        const [was, is] = medians.map((half) => medianOf(half.flat().filter((rank) => rank !== null)));
        return { keywords: ids.length, read: { series, was, is } };
      };
      const control = readGroup(groups.control);
      const shown = ({ keywords, read }) => ({
        keywords,
        rank_before: read?.was ?? null,
        rank_after: read?.is ?? null,
      });
      const compared = (group) => ({ ...shown(group), moved: hasMoved(group.read, control.read) });
      const [from, to] = [addDays(date, -days), addDays(date, days)];
      // Only scores over one basket are compared: that of the day of the change.
      const version = daysFrom(from, date)
        .map(visibilityOn)
        .findLast((one) => one !== null)?.version;
      const median = (half) => {
        const known = half
          .map(visibilityOn)
          .filter((one) => one !== null && one.version === version)
          .map(({ score }) => score);
        return isEnough(known) ? Math.round(medianOf(known) * 10) / 10 : null;
      };
      return {
        days,
        added: compared(readGroup(groups.added)),
        removed: compared(readGroup(groups.removed)),
        control: shown(control),
        visibility_before: median(before),
        visibility_after: median(after),
        other_changes: own
          .filter((other) => other !== change && other.row.date >= from && other.row.date <= to)
          .sort((one, other) => other.readAt - one.readAt)
          .map(({ row }) => row.id),
      };
    });
  };
}

const meanOf = (values) => values.reduce((total, value) => total + value, 0) / values.length;

/** The mean of the second half minus that of the first, without unread days. */
function changeOf(series) {
  const half = series.length / 2;
  const [was, is] = [series.slice(0, half), series.slice(half)].map((days) =>
    days.filter((one) => one !== null),
  );
  return was.length === 0 || is.length === 0 ? 0 : meanOf(is) - meanOf(was);
}

/**
 * Whether a group moved otherwise than the control, beyond chance by the days and by the keywords (services/tracking, `compareRanks`).
 * The permutations are drawn here; where the share of those beyond the difference is near 5 %, either verdict is right.
 */
function hasMoved(group, control) {
  if (group === null || control === null) return null;
  const daily = ({ series }) =>
    series[0].map((_, day) => medianOf(series.map((ranks) => ranks[day]).filter((rank) => rank !== null)));
  const [ofGroup, ofControl] = [daily(group), daily(control)];
  const inDays = (order) =>
    changeOf(order.map((day) => ofGroup[day])) - changeOf(order.map((day) => ofControl[day]));
  const days = ofGroup.map((_, day) => day);
  const byDays = isBeyondChance(inDays, days);
  if (byDays === false) return false;
  const changes = [...group.series, ...control.series].map(changeOf);
  if (changes.length < leastCompared) return byDays === true ? null : 'either';
  const size = group.series.length;
  const byKeywords = isBeyondChance(
    (order) => meanOf(order.slice(0, size)) - meanOf(order.slice(size)),
    changes,
  );
  if (byKeywords === false) return false;
  return byDays === true && byKeywords === true ? true : 'either';
}

/** `either`: too near to the 95th percentile to tell. */
function isBeyondChance(differenceOf, items) {
  const real = Math.abs(differenceOf(items));
  const drawn = Array.from({ length: permutations }, () => Math.abs(differenceOf(shuffled(items))));
  const beyond = drawn.filter((one) => one >= real - 1e-9).length / permutations;
  if (beyond > 0.025 && beyond < 0.075) return 'either';
  return beyond <= 0.025;
}

function shuffled(items) {
  const order = [...items];
  for (let last = order.length - 1; last > 0; last -= 1) {
    const other = Math.floor(Math.random() * (last + 1));
    [order[last], order[other]] = [order[other], order[last]];
  }
  return order;
}
