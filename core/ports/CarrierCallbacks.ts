import { Context, Effect, Layer } from "effect"

/** A request below `/callbacks/`, as it arrived; the names of headers are in lower case. */
export interface CallbackRequest {
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

/** Takes what a carrier tells over HTTP. Who it comes from is for the carrier's own signature to prove. */
export class CarrierCallbacks extends Context.Tag("outdial/CarrierCallbacks")<
  CarrierCallbacks,
  { readonly handle: (request: CallbackRequest) => Effect.Effect<CallbackAnswer> }
>() {
  /** Of a carrier that calls nobody back. */
  static readonly none = Layer.succeed(this, {
    handle: () => Effect.succeed({ status: 404, body: "there is nothing here", contentType: "text/plain" })
  })
}
