import { useState } from 'preact/hooks';
import * as texts from '#texts';
import type { AppHead } from '../../page-data.ts';
import { ApiText } from '../../parts/api-text.tsx';
import { CutName } from '../../parts/cut-name.tsx';
import { Scroll } from '../../parts/scroll.tsx';
import { Value } from '../../parts/value.tsx';
import { formatNumber } from '../../text/format.ts';
import { TrackOutcomes, useChosenTerms } from '../keywords/chosen-terms.tsx';
import type { Cluster } from './model.ts';
import { countLeads, rankOf, type TrackedRanks } from './tracked-ranks.ts';

const words = texts.niches;
/** Those with the most traffic, which a person reads at a glance. */
const shownAtFirst = 10;

/** A cluster with its gap and keywords, of which the chosen ones are tracked for an app. */
export function ClusterCard({
  cluster,
  lang,
  owner,
  ranks,
  onTracked,
}: {
  cluster: Cluster;
  lang: string;
  /** null: the account has no app in this storefront */
  owner: AppHead | null;
  /** of what the owner tracks already; null: not known */
  ranks: TrackedRanks | null;
  onTracked: () => void;
}) {
  const [isWhole, setIsWhole] = useState(false);
  const terms = useChosenTerms();
  const { chosen, choose, isBusy } = terms;
  const keywords = isWhole ? cluster.keywords : cluster.keywords.slice(0, shownAtFirst);
  const withRanks = keywords.map((one) => ({ ...one, rank: rankOf(ranks, one.name) }));
  const leads = countLeads(
    ranks,
    cluster.keywords.map(({ name }) => name),
  );

  return (
    <article class="card cluster">
      <h3>
        <CutName name={cluster.name} lang={lang} />
      </h3>
      <p>
        {words.opportunity} <Value of={cluster.opportunity} decimals={1} />
        <span class="muted">{` · ${words.intents[cluster.intent] ?? cluster.intent}`}</span>
      </p>
      <p class="concept" title={cluster.concept}>
        <ApiText>{cluster.concept}</ApiText>
      </p>
      {leads.top5 > 0 && <p>{words.leads(formatNumber(leads.first), formatNumber(leads.top5))}</p>}
      <Scroll label={words.keywordsOf(cluster.name)}>
        <table class="short">
          <thead>
            <tr>
              <th scope="col">{texts.keywordList.keyword}</th>
              <th scope="col" class="n">
                {texts.keywordList.traffic}
              </th>
              <th scope="col" class="n">
                {texts.keywordList.difficulty}
              </th>
            </tr>
          </thead>
          <tbody>
            {withRanks.map(({ name, traffic, difficulty, rank }) => (
              <tr key={name}>
                <th scope="row">
                  {owner === null || rank !== null ? (
                    <>
                      <CutName name={name} lang={lang} />{' '}
                      {rank !== null && (
                        <small class="tracked">
                          {words.tracked} <Value of={rank} />
                        </small>
                      )}
                    </>
                  ) : (
                    <label class="check">
                      <input
                        type="checkbox"
                        checked={chosen.has(name)}
                        disabled={isBusy}
                        onChange={(event) => choose(name, event.currentTarget.checked)}
                      />
                      <CutName name={name} lang={lang} />
                    </label>
                  )}
                </th>
                <td class="n">
                  <Value of={traffic} />
                </td>
                <td class="n">
                  <Value of={difficulty} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      {cluster.keywords.length > keywords.length && (
        <p>
          <button type="button" class="plain" onClick={() => setIsWhole(true)}>
            {words.all(formatNumber(cluster.keywords.length))}
          </button>
        </p>
      )}
      {owner !== null && (
        <p class="actions">
          <button
            type="button"
            class="plain"
            disabled={isBusy}
            onClick={() =>
              terms.chooseOnly(withRanks.filter(({ rank }) => rank === null).map(({ name }) => name))
            }
          >
            {words.chooseShown}
          </button>{' '}
          <button
            type="button"
            disabled={isBusy || chosen.size === 0}
            aria-label={words.trackOf(formatNumber(chosen.size), cluster.name)}
            onClick={() => void terms.track(owner).then(onTracked)}
          >
            {isBusy ? texts.trackApp.tracking : words.track(formatNumber(chosen.size))}
          </button>
        </p>
      )}
      <TrackOutcomes of={terms} />
    </article>
  );
}
