declare module 'negotiator' {
  /** Reads the Accept headers of a request. Express uses it, too. Its own types do not have `preferred`. */
  class Negotiator {
    constructor(request: { headers: Readonly<Record<string, string | string[] | undefined>> });
    /** The best of `available`; `preferred` breaks ties. Undefined when the client accepts none of them. */
    encoding(available: readonly string[], options: { preferred: readonly string[] }): string | undefined;
    /** The best of `available`, of equally good ones the first. Undefined when the client accepts none of them. */
    mediaType(available: readonly string[]): string | undefined;
  }
  export = Negotiator;
}
