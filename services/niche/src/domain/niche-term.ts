/** One of the first ten results for a term. Null: the store does not say, or it was not read. */
export type NicheApp = {
  /** store identifier */
  app_id: string;
  title: string;
  /** a key of the store's categories */
  genre_key: string | null;
  /** number of ratings in the storefront */
  ratings: number | null;
  updated_at: Date | null;
};

/** A term that people search for, and what stands under it. */
export type NicheTerm = {
  /** normal form */
  keyword: string;
  /** 0 to 100 */
  traffic: number;
  /** 0 to 100 */
  difficulty: number;
  /** It names a brand. */
  isNavigational: boolean;
  /** the first ten, in the store's order; fewer when the store finds fewer */
  top: readonly NicheApp[];
};
