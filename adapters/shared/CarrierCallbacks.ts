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

const nobody: CallbackHandler = () =>
  Effect.succeed({ status: 404, body: "there is nothing here", contentType: "text/plain" })

/** Whether an address is a path such as `/callbacks/somebody`, or below it, whatever a proxy has put in front. */
export const isBelow = (path: string, url: string): boolean =>
  `${url.replace(/[?#].*$/s, "")}/`.includes(`${path}/`)

/** Passes a request to the first receiver whose path it is. */
export const among =
  (receivers: ReadonlyArray<readonly [path: string, handle: CallbackHandler]>): CallbackHandler =>
  (request) => {
    const [, handle] = receivers.find(([path]) => isBelow(path, request.url)) ?? ["", nobody]
    return handle(request)
  }

/**
 * Takes what carriers of calls and providers of messages tell over HTTP. Who it comes from is for their own signature
 * to prove.
 */
export class CarrierCallbacks extends Context.Tag("outdial/CarrierCallbacks")<
  CarrierCallbacks,
  { readonly handle: CallbackHandler }
>() {
  /** Of a carrier that calls nobody back. */
  static readonly none = Layer.succeed(this, { handle: nobody })
}
