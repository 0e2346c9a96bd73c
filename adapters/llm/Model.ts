import { Clock, Context, Duration, Effect, Layer, type Schema } from "effect"
import * as LanguageModel from "@effect/ai/LanguageModel"
import type { MessageEncoded } from "@effect/ai/Prompt"
import {
  ModelBusy,
  type ModelFailure,
  ModelTimedOut,
  ModelUnusable,
  type Usage
} from "../../core/ports/ModelFailure.ts"
import { monotonicMillis } from "../../core/ports/MonotonicTime.ts"
import * as Slots from "../shared/Slots.ts"
import { failureOf, type SlowDown, type Unfit } from "./Failures.ts"
import { CurrentQuestion, OpenQuestion } from "./OpenQuestion.ts"
import { repair } from "./prompts/repair.ts"

export interface Limits {
  /** How long one verb may take, with all its waits. 60 seconds by default. */
  readonly timeout?: Duration.DurationInput | undefined
  /** Requests in flight. 50 by default. */
  readonly concurrency?: number | undefined
}

export interface Question<A, I> {
  /** The answer's name, for the model. */
  readonly name: string
  readonly schema: Schema.Schema<A, I>
  readonly messages: ReadonlyArray<MessageEncoded>
  readonly seed: number | null
  /** Epoch milliseconds. */
  readonly deadline: number
}

export interface Answer<A> {
  readonly value: A
  readonly usage: Usage
}

/** Asks the language model, within limits, for answers of a given form. */
export class Model extends Context.Tag("outdial/llm/Model")<
  Model,
  {
    /** When a verb that begins now has to be done, by the monotonic clock. */
    readonly deadline: Effect.Effect<number>
    /** Asks until the deadline: again when told to wait, and once more when the answer cannot be used. */
    readonly ask: <A, I extends Record<string, unknown>>(
      question: Question<A, I>
    ) => Effect.Effect<Answer<A>, ModelFailure>
  }
>() {}

const inSeconds = (millis: number) => Math.max(1, Math.ceil(millis / 1_000))

const make = Effect.fnUntraced(function* (limits: Limits) {
  const model = yield* LanguageModel.LanguageModel
  const timeout = Duration.decode(limits.timeout ?? "60 seconds")
  const withSlot = Slots.make(limits.concurrency ?? 50)
  /** The model asks for no request before, by the monotonic clock. */
  let busyUntil = 0

  const awaitLull = Effect.fnUntraced(function* (deadline: number) {
    for (;;) {
      const now = yield* monotonicMillis
      if (busyUntil <= now) return
      if (busyUntil >= deadline) {
        return yield* new ModelBusy({
          message: "the model takes no more for the moment",
          retry_after: inSeconds(busyUntil - now)
        })
      }
      yield* Effect.sleep(busyUntil - now)
    }
  })

  /** All requests wait when the model asks to slow down: 200 ms at least, doubling to 5 s while it keeps asking. */
  const patiently = <A>(
    request: Effect.Effect<A, ModelFailure | Unfit | SlowDown>,
    tries: number
  ): Effect.Effect<A, ModelFailure | Unfit> =>
    Effect.catchTag(request, "SlowDown", ({ wait }) =>
      Effect.flatMap(monotonicMillis, (now) => {
        const least = Math.min(200 * 2 ** tries, 5_000)
        busyUntil = Math.max(busyUntil, now + Math.max(wait ?? 5 * least, least))
        return patiently(request, tries + 1)
      })
    )

  const ask = <A, I extends Record<string, unknown>>(question: Question<A, I>) => {
    const { deadline, messages, name, schema, seed } = question
    const open = new OpenQuestion(seed)

    const generate = (prompt: ReadonlyArray<MessageEncoded>) =>
      model.generateObject({ prompt, schema, objectName: name }).pipe(
        Effect.catchAll((error) =>
          Effect.flatMap(Clock.currentTimeMillis, (now) => Effect.fail(failureOf(error, now)))
        ),
        Effect.map((answer) => answer.value)
      )

    const once = (prompt: ReadonlyArray<MessageEncoded>) =>
      patiently(
        Effect.andThen(awaitLull(deadline), withSlot(Effect.andThen(awaitLull(deadline), generate(prompt)))),
        0
      )

    const repaired = ({ issues }: Unfit) =>
      once([
        ...messages,
        ...(open.answer === ""
          ? []
          : [{ role: "assistant", content: open.answer.slice(0, 20_000) } as const]),
        { role: "user", content: repair(issues) }
      ])

    const answered = once(messages).pipe(
      Effect.catchTag("Unfit", repaired),
      Effect.catchTag("Unfit", ({ issues }) =>
        Effect.fail(new ModelUnusable({ message: `the model's answer cannot be used: ${issues.join("; ")}` }))
      ),
      Effect.map((value) => ({ value, usage: open.usage })),
      Effect.provideService(CurrentQuestion, open),
      Effect.withTracerEnabled(false)
    )

    return Effect.flatMap(monotonicMillis, (now) =>
      Effect.timeoutFail(answered, {
        duration: Math.max(deadline - now, 0),
        onTimeout: () =>
          new ModelTimedOut({ message: `the model did not answer within ${Duration.format(timeout)}` })
      })
    )
  }

  return Model.of({
    deadline: Effect.map(monotonicMillis, (now) => now + Duration.toMillis(timeout)),
    ask
  })
})

export const layer = (limits: Limits): Layer.Layer<Model, never, LanguageModel.LanguageModel> =>
  Layer.effect(Model, make(limits))
