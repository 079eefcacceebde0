import type { ListingFieldKey } from '@shelfwise/facts/stores/listing-fields';
import { stores } from '@shelfwise/facts/stores/store';
import type { AuditInput, TermToAdd } from '@shelfwise/scoring/domain/audit/audit-input';
import { auditListing } from '@shelfwise/scoring/domain/audit/audit-listing';
import { shareSampleCatalog } from '../../services/store-fetch/test/share-sample-catalog.ts';
import { createSampleAudits } from './sample-audits.ts';

const audits = createSampleAudits(new Date('2026-11-21T12:00:00Z'), shareSampleCatalog);
/** Apps of different topics and sizes. */
const everyNth = 97;

function globalOf(input: AuditInput): number {
  return auditListing({ ...input, advice: {} }).report.global;
}

/** What a simulation shows for the listing with a term after the text of a field. */
async function simulate(input: AuditInput, field: ListingFieldKey, name: string): Promise<number> {
  const before = input.texts[field] ?? '';
  const separator = field === 'kw_field' ? ',' : ', ';
  const draft = await audits.draftOf(input, {
    [field]: before === '' ? name : `${before}${separator}${name}`,
  });
  return globalOf(draft) - globalOf(input);
}

function advisedIn(input: AuditInput): { code: string; terms: readonly TermToAdd[] }[] {
  return auditListing(input).report.flags.flatMap(({ code, evidence }) => {
    const terms = evidence.words_to_add as readonly TermToAdd[] | undefined;
    return terms ? [{ code, terms }] : [];
  });
}

test.each(stores)(
  'the words to add of the sample’s apps in %s are in the order of a simulation, and none lowers a score',
  async (store) => {
    const storefront = { store, country: 'US', lang: 'en-US' };
    const sold = audits.catalog.apps(store).filter((_, at) => at % everyNth === 0);
    let advised = 0;
    for (const { appId } of sold) {
      const live = await audits.inputWithAdvice(storefront, appId).catch(() => null);
      if (!live) continue;
      for (const texts of [
        {},
        { subtitle: '' },
        store === 'ITUNES' ? { kw_field: '' } : { title: 'Lumen' },
      ]) {
        const input = { ...(await audits.draftOf(live, texts)), candidates: live.candidates };
        for (const { terms } of advisedIn(input)) {
          const changes: number[] = [];
          for (const { name, field } of terms) changes.push(await simulate(input, field, name));
          advised += terms.length;
          expect(changes).toEqual(changes.toSorted((a, b) => b - a));
          for (const change of changes) expect(change).toBeGreaterThanOrEqual(0);
          for (const { source } of terms) expect(['titles', 'description', 'pages']).toContain(source);
        }
      }
    }
    expect(advised).toBeGreaterThan(0);
  },
);
