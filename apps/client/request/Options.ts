/** A file to upload, at most 5 MB: a `File`, a `Blob`, or what it holds under a name. */
export type FileInput =
  | Blob
  | {
      readonly name: string
      readonly data: string | Uint8Array | ArrayBuffer | Blob
    }

/** A bearer token, or what gives one whenever a request is sent. */
export type Token = string | (() => string | Promise<string>)

/** An API key, which is a secret of servers and must not be given to browsers, or a bearer token. */
export type Credential =
  | { readonly apiKey: string; readonly token?: undefined }
  | { readonly token: Token; readonly apiKey?: undefined }

export interface RetryOptions {
  /** How often a request is sent again at most. Default 3; 0 sends everything once. */
  readonly retries?: number | undefined
  /** Milliseconds before the first repetition, half of them by chance; doubled for each further one. Default 500. */
  readonly minDelayMs?: number | undefined
  /** Milliseconds that the doubling ends at. Default 8,000. */
  readonly maxDelayMs?: number | undefined
  /** Milliseconds: when `Retry-After` asks for more, the error is thrown at once. Default 60,000. */
  readonly maxRetryAfterMs?: number | undefined
}

export type ClientOptions = Credential & {
  /** Where the interface is, its version included: `https://voice.example.com/v0`. */
  readonly baseUrl: string
  /** What sends requests, the runtime's `fetch` by default. */
  readonly fetch?: typeof globalThis.fetch | undefined
  /**
   * Milliseconds that one try may take, its answer included. Default 30,000; operations that wait for
   * another service have 120,000 and those that send or answer a file 600,000, whatever is set here.
   */
  readonly timeoutMs?: number | undefined
  readonly retry?: RetryOptions | undefined
  /**
   * Whether `calls.place` gives a body without `idempotency_key` one of its own. Default true. When false, such a
   * body is sent again only when it certainly was not acted on.
   */
  readonly idempotencyKeys?: boolean | undefined
}

export interface RequestOptions {
  /** Ends the request, waits and repetitions included: the promise is rejected with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Milliseconds that one try may take. */
  readonly timeoutMs?: number | undefined
  /** How often this request is sent again at most. */
  readonly retries?: number | undefined
  /**
   * The Idempotency-Key of a request that creates something: it is sent again after any failure that may pass, and
   * creates nothing twice.
   */
  readonly idempotencyKey?: string | undefined
}
