import type * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import {
  Config,
  type ConfigError,
  Data,
  type Duration,
  Effect,
  Layer,
  Option,
  type Scope,
  Stream
} from "effect"
import type { Recording } from "../../core/model/recordings/Recording.ts"
import { type Audio, RecordingStore } from "../../core/ports/RecordingStore.ts"
import { StoreUnavailable } from "../../core/ports/Repository.ts"
import { http, isOk } from "../shared/HttpExchange.ts"
import * as Settings from "./Config.ts"
import * as RestApi from "./RestApi.ts"

export interface Options extends RestApi.Account {
  /** How long a request may take, and how long an answer may pause. */
  readonly timeout: Duration.DurationInput
}

/** Twilio did not do what it was asked to. */
export class TwilioFailed extends Data.TaggedError("TwilioFailed")<{ readonly message: string }> {}

const failed = (message: string) => Effect.die(new StoreUnavailable({ cause: new TwilioFailed({ message }) }))
const unanswered = failed("the carrier did not answer")

/** Names of Twilio's, and of providers whose interface is like Twilio's, as far as they can be told from others. */
const sid = /^(?:RE[0-9a-f]{32}|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})$/

const isTwilios = ({ carrier_recording_id }: Recording) => sid.test(carrier_recording_id)

/** How many bytes there are in all, as an answer to a request for the first of them tells. */
const sizeOf = ({ headers, status }: HttpClientResponse.HttpClientResponse): number | null => {
  const total =
    status === 206 ? /\/(\d+)$/.exec(headers["content-range"] ?? "")?.[1] : headers["content-length"]
  return total === undefined ? null : Number(total)
}

/** The bytes from `from` until `until` of all that a stream brings; what comes behind them is not read. */
const cut = <E>(all: Stream.Stream<Uint8Array, E>, from: number, until: number) =>
  Stream.mapAccum(all, 0, (at, bytes) => {
    const part = bytes.subarray(Math.max(0, from - at), Math.max(0, until - at))
    return [at + bytes.length, { part, isLast: at + bytes.length >= until }]
  }).pipe(
    Stream.takeUntil(({ isLast }) => isLast),
    Stream.map(({ part }) => part)
  )

const make = (options: Options) =>
  Effect.map(RestApi.make(options), (api) => {
    /** Source: Twilio, "Recordings resource", delete: 204, and 404 once it is gone. */
    const removed = (sid: string) =>
      api.remove(api.at(`/Recordings/${sid}.json`), options.timeout).pipe(
        Effect.catchAll(() => unanswered),
        Effect.flatMap((answer) =>
          answer.status === 404 || isOk(answer)
            ? Effect.void
            : failed(`the carrier answered ${answer.status}`)
        )
      )

    /** The audio's bytes, or those of them that are asked for, as far as the carrier knows ranges. */
    const asked = (
      { carrier_recording_id }: Recording,
      range: string
    ): Effect.Effect<HttpClientResponse.HttpClientResponse, never, Scope.Scope> =>
      Effect.catchAll(
        api.open(api.at(`/Recordings/${carrier_recording_id}.wav`), { range }, options.timeout),
        () => unanswered
      )

    const bytes = (recording: Recording, from: number, until: number): Stream.Stream<Uint8Array> => {
      if (from >= until) return Stream.empty
      return Stream.unwrapScoped(
        Effect.flatMap(asked(recording, `bytes=${from}-${until - 1}`), ({ status, stream }) => {
          if (status !== 206 && status !== 200) return failed(`the carrier answered ${status}`)
          const sent = Stream.timeoutFail(
            stream,
            () => new TwilioFailed({ message: "it paused" }),
            options.timeout
          )
          const part = status === 206 ? sent : cut(sent, from, until)
          return Effect.succeed(Stream.catchAll(part, () => Stream.fromEffect(unanswered)))
        })
      )
    }

    /** Source: Twilio, "Recordings resource", fetch a recording's media: `.wav`. */
    const bring = Effect.fn("RecordingStore.bring")(function* (
      recording: Recording
    ): Effect.fn.Return<Option.Option<Audio>> {
      if (!isTwilios(recording)) return Option.none()
      const answer = yield* Effect.scoped(asked(recording, "bytes=0-0"))
      if (answer.status === 404) return Option.none()
      const size_bytes = sizeOf(answer)
      if (!isOk(answer) || size_bytes === null) return yield* failed(`the carrier answered ${answer.status}`)
      return Option.some({ size_bytes, bytes: (from, until) => bytes(recording, from, until) })
    })

    return RecordingStore.of({
      find: () => Effect.succeedNone,
      bring,
      remove: Effect.fn("RecordingStore.remove")((recording) =>
        recording.status === "deleted" || !isTwilios(recording)
          ? Effect.void
          : removed(recording.carrier_recording_id)
      )
    })
  })

/** Leaves the audio with Twilio: what is asked for is fetched there with the account's credentials, and passed on. */
export const layer = (options: Options): Layer.Layer<RecordingStore> =>
  Layer.provide(Layer.effect(RecordingStore, make(options)), http)

/** The account's recordings. */
export const layerConfig: Layer.Layer<RecordingStore, ConfigError.ConfigError> = Layer.unwrapEffect(
  Effect.map(Config.all({ account: Settings.account, timeout: Settings.timeout }), ({ account, timeout }) =>
    layer({ ...account, timeout })
  )
)
