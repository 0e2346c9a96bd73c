import { Context, Deferred, Effect, Layer } from "effect"
import { assert } from "@effect/vitest"
import { CarrierReports } from "../../core/engine/CarrierReports.ts"
import { standardTalk } from "../../core/model/agents/Talk.ts"
import type { CallProgress, Progress } from "../../core/model/calls/CarrierProgress.ts"
import type { DialRequest } from "../../core/model/calls/DialRequest.ts"
import type { DialReference, Lookup } from "../../core/ports/CallDialer.ts"

export const dialRequest = (
  key: string,
  to_number: string,
  overrides: Partial<DialRequest> = {}
): DialRequest => ({
  key,
  workspace_id: "ws_1",
  call_id: `call_of_${key}`,
  session_id: `sess_of_${key}`,
  to_number,
  from_number: "+15557654321",
  agent: {
    agent_id: "agent_1",
    prompt: "You are a friendly caller.",
    first_message: "Hello, this is Outdial.",
    voice: "aria",
    language: "en-US",
    interruptible: standardTalk.interruptible,
    voicemail: standardTalk.voicemail,
    transcription: standardTalk.transcription,
    speech: standardTalk.speech
  },
  idle_timeout_warning: 5,
  idle_timeout_end: 8,
  max_call_length: 3600,
  ...overrides
})

/** The dial of `dialRequest` when it is asked about, before the carrier's id is known. */
export const referTo = (key: string, overrides: Partial<DialReference> = {}): DialReference => ({
  workspace_id: "ws_1",
  key,
  carrier_call_id: null,
  to_number: "+15550001234",
  from_number: "+15557654321",
  since: 0,
  ...overrides
})

/** The carrier's side of the line. */
export class CarrierSide extends Context.Tag("test/CarrierSide")<
  CarrierSide,
  {
    /** How often the carrier has received a dial under a key. */
    readonly dials: (key: string) => Effect.Effect<number>
    /** A number: the next dial to it arrives, and its answer is lost. */
    readonly losing: Effect.Effect<string>
  }
>() {}

/** Takes all that a carrier reports, and lets a test wait for what it needs. */
export class Ear extends Context.Tag("test/Ear")<
  Ear,
  {
    /** What was heard of a key, once it meets the condition. */
    readonly until: (
      key: string,
      condition: (progress: ReadonlyArray<Progress>) => boolean
    ) => Effect.Effect<ReadonlyArray<Progress>>
    /** How much came with each report, oldest first. */
    readonly chunks: ReadonlyArray<number>
  }
>() {
  static readonly layer: Layer.Layer<Ear | CarrierReports> = Layer.effectContext(
    Effect.sync(() => {
      const heard = new Map<string, Array<Progress>>()
      const waiting = new Set<() => void>()
      const chunks: Array<number> = []
      const hear = ({ key, progress }: CallProgress) => {
        heard.set(key, [...(heard.get(key) ?? []), progress])
      }
      const record = (batch: Iterable<CallProgress>) =>
        Effect.sync(() => {
          const chunk = [...batch]
          chunks.push(chunk.length)
          for (const progress of chunk) hear(progress)
          for (const check of waiting) check()
        })
      const reply = () => Effect.dieMessage("a carrier of calls hears of no replies")
      return Context.make(CarrierReports, { record, reply }).pipe(
        Context.add(Ear, {
          chunks,
          until: (key, condition) =>
            Effect.gen(function* () {
              const met = yield* Deferred.make<ReadonlyArray<Progress>>()
              const check = () => {
                const progress = heard.get(key) ?? []
                if (condition(progress)) Deferred.unsafeDone(met, Effect.succeed(progress))
              }
              waiting.add(check)
              check()
              return yield* Effect.ensuring(
                Deferred.await(met),
                Effect.sync(() => waiting.delete(check))
              )
            })
        })
      )
    })
  )
}

export const has =
  (...tags: ReadonlyArray<Progress["_tag"]>) =>
  (progress: ReadonlyArray<Progress>): boolean =>
    tags.every((tag) => progress.some(({ _tag }) => _tag === tag))

export const tags = (progress: ReadonlyArray<Progress>) => progress.map(({ _tag }) => _tag)

export const endOf = (progress: ReadonlyArray<Progress>) => {
  const ends = progress.filter((one) => one._tag === "Ended")
  assert.strictEqual(ends.length, 1, "a call ends exactly once")
  return ends[0]!
}

export const progressOf = (found: Lookup): ReadonlyArray<Progress> => {
  assert.strictEqual(found._tag, "Known")
  return found._tag === "Known" ? found.progress : []
}

let keys = 0
export const newKey = () => `att_${process.pid}_${keys++}`
