import type { SearchStatus } from './search-status.ts';

/** A keyword's scores in one storefront, independent of any app. Null: a required input is missing. */
export type KeywordScore = {
  scoring_version: number;
  scored_at: Date;
  /** 0 to 100 */
  difficulty: number | null;
  traffic: number | null;
  difficulty_parts: DifficultyParts | null;
  traffic_parts: TrafficParts | null;
  /**
   * There is a traffic score, and the store's suggestions are not known yet. It will be computed again: after a first empty look
   * it is a lower bound. Never where the store has no suggestions (`knownSuggestion`).
   */
  is_partial: boolean;
  /** The first app, if the term names its brand; null on a page of fewer than five results, where it is only suspected. */
  brand: Brand | null;
  /** The first app of a page of fewer than five results, if the term names its brand. */
  suspected_brand: Brand | null;
  /** The number of results of the page, 100 at most; null without a page. */
  results: number | null;
  search_status: SearchStatus;
  /**
   * How many of the first ten apps have each genre, by the store's key of it; apps of an unknown genre are left out. Null
   * without a page.
   */
  genres: GenreCount[] | null;
};

export type Brand = { app_id: string; developer_name: string | null };

export type GenreCount = { key: string; apps: number };

/** 0 to 1 each; null: dropped. */
export type DifficultyParts = {
  A: number | null;
  T: number;
  S: number | null;
  Q: number | null;
  F: number | null;
  /** 0 to 100 */
  raw: number;
  cap: number | null;
};

/** 0 to 1 each; null: dropped. */
export type TrafficParts = {
  suggest: number | null;
  L: number | null;
  X: number | null;
  D: number | null;
  M: number | null;
  C: number | null;
  rel: number | null;
  relL: number | null;
  base: number;
  words: number;
  spec: number;
};
