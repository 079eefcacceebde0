/** The used part of the package, which has no types of its own. */
declare module 'google-play-scraper' {
  /** A request as got 11 passes it to its hooks. */
  export type GotRequest = { url: URL; method: string; headers: Record<string, unknown>; body?: unknown };

  /** Settings of got 11. If a hook returns a response, got makes no call. */
  export type GotOptions = {
    retry: { limit: number };
    hooks: { beforeRequest: ((request: GotRequest) => Promise<import('node:stream').Readable>)[] };
  };

  type InStorefront = { lang: string; country: string; requestOptions: GotOptions };

  const scraper: {
    search(options: InStorefront & { term: string; num: number }): Promise<unknown>;
    app(options: InStorefront & { appId: string }): Promise<unknown>;
    suggest(options: InStorefront & { term: string }): Promise<unknown>;
    list(options: InStorefront & { category: string; collection: string; num: number }): Promise<unknown>;
  };
  // biome-ignore lint/style/noDefaultExport: it is how the package exports
  export default scraper;
}
