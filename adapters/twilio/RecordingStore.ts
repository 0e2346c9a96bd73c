import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import { Config, type ConfigError, Data, type Duration, Effect, Layer } from "effect"
import { RecordingStore } from "../../core/ports/RecordingStore.ts"
import { StoreUnavailable } from "../../core/ports/Repository.ts"
import type { Account } from "./Api.ts"
import * as Settings from "./Config.ts"
import { http } from "./Http.ts"

export interface Options extends Account {
  /** How long a request may take. */
  readonly timeout: Duration.DurationInput
}

/** Twilio did not do what it was asked to. */
export class NotRemoved extends Data.TaggedError("NotRemoved")<{ readonly message: string }> {}

const make = ({ accountSid, password, timeout, url, username }: Options) =>
  Effect.map(HttpClient.HttpClient, (plain) => {
    const client = plain.pipe(
      HttpClient.mapRequest(HttpClientRequest.basicAuth(username, password)),
      HttpClient.withTracerPropagation(false),
      HttpClient.withTracerDisabledWhen(() => true)
    )
    const account = `${url.replace(/\/+$/, "")}/2010-04-01/Accounts/${encodeURIComponent(accountSid)}`
    const failed = (message: string) =>
      Effect.die(new StoreUnavailable({ cause: new NotRemoved({ message }) }))

    /** Source: Twilio, "Recordings resource", delete: 204, and 404 once it is gone. */
    const removed = (sid: string) =>
      client.del(`${account}/Recordings/${encodeURIComponent(sid)}.json`).pipe(
        Effect.timeout(timeout),
        Effect.catchAll(() => failed("the carrier did not answer")),
        Effect.flatMap(({ status }) =>
          status === 404 || (status >= 200 && status < 300)
            ? Effect.void
            : failed(`the carrier answered ${status}`)
        ),
        Effect.scoped
      )

    return RecordingStore.of({
      find: () => Effect.succeedNone,
      bring: () => Effect.succeedNone,
      remove: Effect.fn("RecordingStore.remove")(({ carrier_recording_id, url }) =>
        url === null ? Effect.void : removed(carrier_recording_id)
      )
    })
  })

/** Leaves the audio with Twilio, which gives it out at the record's own url, and removes it there. */
export const layer = (options: Options): Layer.Layer<RecordingStore> =>
  Layer.provide(Layer.effect(RecordingStore, make(options)), http)

/** The account's recordings. */
export const layerConfig: Layer.Layer<RecordingStore, ConfigError.ConfigError> = Layer.unwrapEffect(
  Effect.map(Config.all({ account: Settings.account, timeout: Settings.timeout }), ({ account, timeout }) =>
    layer({ ...account, timeout })
  )
)
