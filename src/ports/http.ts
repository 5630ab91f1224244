/** A request as a route sees it. */
export interface HttpRequest {
  readonly method: string;
  /** By their names in small letters; of a header that came more than once, all values joined. */
  header(name: string): string | undefined;
  /** The whole body; null when it is longer than that, and then the rest of it is not read. */
  read(mostBytes: number): Promise<Uint8Array | null>;
}

export interface HttpAnswer {
  readonly status: number;
  /** An object is sent as JSON. */
  readonly body: string | object;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What is behind one path. What it throws is answered with 500 and logged. */
export type HttpRoute = (request: HttpRequest) => Promise<HttpAnswer>;
