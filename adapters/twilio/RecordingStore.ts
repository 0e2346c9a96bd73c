import { Config, type ConfigError, Data, type Duration, Effect, Layer } from "effect"
import { RecordingStore } from "../../core/ports/RecordingStore.ts"
import { StoreUnavailable } from "../../core/ports/Repository.ts"
import { http, isOk } from "../shared/HttpExchange.ts"
import * as Settings from "./Config.ts"
import * as RestApi from "./RestApi.ts"

export interface Options extends RestApi.Account {
  /** How long a request may take. */
  readonly timeout: Duration.DurationInput
}

/** Twilio did not do what it was asked to. */
export class NotRemoved extends Data.TaggedError("NotRemoved")<{ readonly message: string }> {}

const failed = (message: string) => Effect.die(new StoreUnavailable({ cause: new NotRemoved({ message }) }))

const make = (options: Options) =>
  Effect.map(RestApi.make(options), (api) => {
    /** Source: Twilio, "Recordings resource", delete: 204, and 404 once it is gone. */
    const removed = (sid: string) =>
      api.remove(api.at(`/Recordings/${encodeURIComponent(sid)}.json`), options.timeout).pipe(
        Effect.catchAll(() => failed("the carrier did not answer")),
        Effect.flatMap((answer) =>
          answer.status === 404 || isOk(answer)
            ? Effect.void
            : failed(`the carrier answered ${answer.status}`)
        )
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
