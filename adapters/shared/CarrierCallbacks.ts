import { Context, Effect, Layer } from "effect"

/** A request below `/callbacks/`, as it arrived; the names of headers are in lower case. */
export interface CallbackRequest {
  readonly method: string
  /** The path with its query. */
  readonly url: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}

export interface CallbackAnswer {
  readonly status: number
  readonly body: string
  readonly contentType: string
}

export type CallbackHandler = (request: CallbackRequest) => Effect.Effect<CallbackAnswer>

const nothingHere: CallbackHandler = () =>
  Effect.succeed({ status: 404, body: "there is nothing here", contentType: "text/plain" })

/** Whether an address is a path such as `/callbacks/carrier`, or below it. A proxy may have put a path in front. */
export const isBelow = (path: string, url: string): boolean =>
  `${url.replace(/[?#].*$/s, "")}/`.includes(`${path}/`)

/** Passes a request to the first receiver whose path it is. */
export const among =
  (receivers: ReadonlyArray<readonly [path: string, handle: CallbackHandler]>): CallbackHandler =>
  (request) => {
    const [, handle] = receivers.find(([path]) => isBelow(path, request.url)) ?? ["", nothingHere]
    return handle(request)
  }

/**
 * Takes what carriers of calls and providers of messages tell over HTTP. The receiver of each
 * checks its signature.
 */
export class CarrierCallbacks extends Context.Tag("outdial/CarrierCallbacks")<
  CarrierCallbacks,
  { readonly handle: CallbackHandler }
>() {
  /** For carriers that send no callbacks. */
  static readonly none = Layer.succeed(this, { handle: nothingHere })
}
