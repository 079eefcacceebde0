import { readdirSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { auditListing } from '@shelfwise/scoring/domain/audit/audit-listing';
import { findNeighbors, type Neighbors } from '@shelfwise/scoring/domain/audit/axes/neighbors';
import { listingTerms } from '@shelfwise/scoring/domain/audit/words/listing-terms';
import { scoreKeyword } from '@shelfwise/scoring/domain/keyword/score-keyword';
import { scoringVersion } from '@shelfwise/scoring/domain/scoring-version';
import { createFormOf } from '@shelfwise/scoring/domain/text/form-of';

/** The functions of one version of the scoring service. */
export type Scoring = {
  scoringVersion: number;
  auditListing: typeof auditListing;
  listingTerms: typeof listingTerms;
  scoreKeyword: typeof scoreKeyword;
  createFormOf: typeof createFormOf;
  /** Version 3 does not take `formOf`. */
  findNeighbors: (
    appId: string,
    terms: Parameters<typeof findNeighbors>[1],
    formOf: (word: string) => string,
  ) => Neighbors;
};

/** The scoring of this checkout. */
export const currentScoring: Scoring = {
  scoringVersion,
  auditListing,
  listingTerms,
  scoreKeyword,
  createFormOf,
  findNeighbors,
};

/** The scoring of another checkout, from its sources, in whatever folders they are. @param folder with its modules installed */
export async function loadScoring(folder: string): Promise<Scoring> {
  const domain = join(resolve(folder), 'services/scoring/src/domain');
  const files = readdirSync(domain, { recursive: true, encoding: 'utf8' });
  const load = (name: string): Promise<Scoring> => {
    const file = files.find((one) => basename(one) === name);
    if (file === undefined) throw new Error(`${domain} has no ${name}`);
    return import(pathToFileURL(join(domain, file)).href);
  };
  return {
    scoringVersion: (await load('scoring-version.ts')).scoringVersion,
    auditListing: (await load('audit-listing.ts')).auditListing,
    listingTerms: (await load('listing-terms.ts')).listingTerms,
    scoreKeyword: (await load('score-keyword.ts')).scoreKeyword,
    createFormOf: (await load('form-of.ts')).createFormOf,
    findNeighbors: (await load('neighbors.ts')).findNeighbors,
  };
}
