import { Cause, Effect, Exit, Option, Runtime, type Schema, Scope, Stream } from "effect"
import type { EventsShape } from "../../core/engine/Events.ts"
import type { Call } from "../../core/model/calls/Call.ts"
import type { ImportSummary } from "../../core/model/campaigns/CampaignImport.ts"
import type { CallReviewed } from "../../core/model/conversations/Review.ts"
import type { MessageStatus } from "../../core/model/calls/MessageStatus.ts"
import type { EventType } from "../../core/model/webhooks/Webhook.ts"
import type { CallJson, CampaignJson, RecordingJson, RunJson } from "./promises/Records.ts"

interface Head {
  readonly id: string
  readonly created_at: string
  readonly customer_id: string
  readonly call_id: string | null
  readonly agent_id: string
  readonly session_id: string | null
  readonly campaign_id: Call["campaign_id"]
  readonly recipient_id: Call["recipient_id"]
  readonly attempt_number: number | null
  readonly metadata: Readonly<Record<string, unknown>> | null
}

interface OfCall extends Head {
  readonly call_id: string
}

interface OfCampaign extends Head {
  readonly call_id: null
  readonly campaign_id: string
}

interface OfRun extends Head {
  readonly call_id: null
}

/** An event as webhooks are told of it: the same id, the same body. */
export type Event =
  | (OfCall & { readonly event_type: "call_started" | "call_completed"; readonly data: CallJson })
  | (OfCall & { readonly event_type: "recording_completed"; readonly data: RecordingJson })
  | (OfCall & { readonly event_type: "call_reviewed"; readonly data: CallReviewed })
  | (OfCall & {
      readonly event_type: "message_status"
      readonly data: Schema.Schema.Encoded<typeof MessageStatus>
    })
  | (OfCampaign & {
      readonly event_type: "campaign_started" | "campaign_paused" | "campaign_completed"
      readonly data: CampaignJson
    })
  | (OfCampaign & {
      readonly event_type: "import_completed"
      readonly data: Schema.Schema.Encoded<typeof ImportSummary>
    })
  | (OfRun & { readonly event_type: "test_run_completed"; readonly data: RunJson })

export interface Wanted {
  /** Events of this workspace alone. */
  readonly workspace_id?: string | undefined
  /** Events of these kinds alone. */
  readonly event_types?: ReadonlyArray<EventType> | undefined
}

/**
 * Events as they happen, from the moment that the stream is made: nothing is missed between that and the first
 * `next`. It ends when it is left (`break`, `return()`), or when the platform is disposed of.
 */
export class EventStream implements AsyncIterableIterator<Event> {
  readonly #run: <A, E>(effect: Effect.Effect<A, E>) => Promise<Exit.Exit<A, E>>
  readonly #scope: Scope.CloseableScope
  readonly #pull: Effect.Effect<Iterable<Event>, Option.Option<never>>
  readonly #ended: () => void
  #waiting: Array<Event> = []
  #last: Promise<unknown> = Promise.resolve()
  #open = true

  constructor(events: EventsShape, wanted: Wanted, runtime: Runtime.Runtime<never>, ended: () => void) {
    const { event_types, workspace_id } = wanted
    this.#run = Runtime.runPromiseExit(runtime)
    this.#ended = ended
    this.#scope = Effect.runSync(Scope.make())
    const heard = Effect.map(events.subscribe, (stream) =>
      stream.pipe(
        Stream.filter(
          (event) =>
            (workspace_id === undefined || event.customer_id === workspace_id) &&
            (event_types === undefined || event_types.some((type) => type === event.event_type))
        ),
        Stream.map(({ body }) => JSON.parse(body) as Event)
      )
    )
    this.#pull = Runtime.runSync(runtime)(
      Effect.flatMap(heard, Stream.toPull).pipe(Scope.extend(this.#scope))
    )
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  next(): Promise<IteratorResult<Event, undefined>> {
    const next = this.#last.then(() => this.#take())
    this.#last = next
    return next
  }

  /** Stops listening. */
  async return(): Promise<IteratorResult<Event, undefined>> {
    if (this.#open) {
      this.#open = false
      this.#ended()
      await this.#run(Scope.close(this.#scope, Exit.void))
    }
    return { done: true, value: undefined }
  }

  async #take(): Promise<IteratorResult<Event, undefined>> {
    while (this.#open && this.#waiting.length === 0) {
      const pulled = await this.#run(this.#pull)
      if (Exit.isFailure(pulled)) {
        await this.return()
        const failure = Cause.failureOption(pulled.cause)
        if (Option.isNone(failure) && !Cause.isInterruptedOnly(pulled.cause)) throw Cause.squash(pulled.cause)
        break
      }
      this.#waiting = [...pulled.value]
    }
    const value = this.#waiting.shift()
    return value === undefined ? { done: true, value: undefined } : { done: false, value }
  }
}
