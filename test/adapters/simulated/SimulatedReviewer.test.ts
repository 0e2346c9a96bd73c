import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as SimulatedReviewer from "../../../adapters/simulated/SimulatedReviewer.ts"
import {
  callReviewerContract,
  question,
  questions,
  reviewOf,
  toolTurn,
  transcriptOf
} from "../../contracts/CallReviewer.ts"

const { layer } = SimulatedReviewer

callReviewerContract("rules", layer)

const reviewed = (...args: Parameters<typeof reviewOf>) =>
  Effect.map(reviewOf(...args), ({ review }) => review).pipe(Effect.provide(layer))

const answersTo = (...lines: ReadonlyArray<string>) =>
  Effect.map(reviewed(transcriptOf(...lines), questions), ({ answers }) => answers)

const sentiment = (text: string, language = "en") =>
  Effect.map(
    reviewed(transcriptOf("A: Hello.", `C: ${text}`), [], { language }),
    ({ sentiment }) => sentiment
  )

describe("A review by rules", () => {
  it.effect("sums up by what was said first and last, and what was done", () =>
    Effect.gen(function* () {
      const talk = [
        ...transcriptOf("A: Hello, this is Mia.", "C: Who?", "C: Stop calling me."),
        toolTurn("do_not_call")
      ]
      assert.strictEqual(
        (yield* reviewed(talk)).summary,
        "The agent began with “Hello, this is Mia.”. The callee spoke 2 times, last of all “Stop calling me.”. " +
          "Tools used: do_not_call."
      )
      assert.strictEqual((yield* reviewed([])).summary, "The agent said nothing. The callee said nothing.")
    })
  )

  it.effect("takes a yes or a no as the answer to what the agent asked last", () =>
    Effect.gen(function* () {
      const ask = "A: Can you confirm the appointment on Monday?"
      assert.isTrue((yield* answersTo(ask, "C: Yes, I can."))["confirmed"])
      assert.isFalse((yield* answersTo(ask, "C: No, sorry."))["confirmed"])
      assert.isTrue(
        (yield* answersTo(ask, "C: No.", "A: Do you confirm another appointment?", "C: Yes."))["confirmed"]
      )
      assert.isNull((yield* answersTo(ask, "C: Let me look."))["confirmed"])
      assert.isNull((yield* answersTo("A: Is it raining?", "C: Yes."))["confirmed"])
      assert.isNull((yield* answersTo("A: You confirm the appointment.", "C: Yes."))["confirmed"])
    })
  )

  it.effect("takes the one number that was given", () =>
    Effect.gen(function* () {
      const ask = "A: How many guests will come?"
      assert.strictEqual((yield* answersTo(ask, "C: There will be 12 of us."))["guests"], 12)
      assert.strictEqual((yield* answersTo(ask, "C: Three."))["guests"], 3)
      assert.strictEqual((yield* answersTo(ask, "C: 1,200."))["guests"], 1_200)
      assert.isNull((yield* answersTo(ask, "C: Three or four."))["guests"])
      assert.isNull((yield* answersTo("A: How old are you?", "C: 40."))["guests"])
    })
  )

  it.effect("takes an option that was named, and no other", () =>
    Effect.gen(function* () {
      assert.strictEqual(
        (yield* answersTo("A: Hello.", "C: Send me a text message."))["channel"],
        "text message"
      )
      assert.isNull((yield* answersTo("A: Hello.", "C: By email or text message."))["channel"])
      assert.isNull((yield* answersTo("A: Hello.", "C: By pigeon."))["channel"])
      assert.isNull((yield* answersTo("A: By email?", "C: Hm."))["channel"])
    })
  )

  it.effect("takes the words themselves where the agent asked for words", () =>
    Effect.gen(function* () {
      const ask = "A: Why can you not come to the appointment, what is the reason?"
      assert.strictEqual((yield* answersTo(ask, "C: My car broke down."))["reason"], "My car broke down.")
      assert.isNull((yield* answersTo(ask, "C: Who is this?"))["reason"])
    })
  )

  it.effect("goes by words for the sentiment, in languages of which it has some", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* sentiment("That's great, thank you!"), "positive")
      assert.strictEqual(yield* sentiment("This is a scam and I am angry."), "negative")
      assert.strictEqual(yield* sentiment("I am not happy about this."), "negative")
      assert.strictEqual(yield* sentiment("It is Tuesday."), "neutral")
      assert.strictEqual(yield* sentiment("Das ist sehr nett, danke.", "de-AT"), "positive")
      assert.strictEqual(yield* sentiment("Esto es una estafa.", "es"), "negative")
      assert.isNull(yield* sentiment("とても良い", "ja"))
      assert.isNull((yield* reviewed(transcriptOf("A: What a great day!"))).sentiment)
    })
  )

  it.effect("tells who is qualified only where an answer decides it", () =>
    Effect.gen(function* () {
      const status = (answer: string, qualified_when: string) =>
        Effect.map(
          reviewed(
            transcriptOf("A: Are you interested in solar panels?", `C: ${answer}`),
            [question("interested", "boolean", "Whether the callee is interested in solar panels")],
            { qualified_when }
          ),
          ({ qualification_status }) => qualification_status
        )
      assert.strictEqual(yield* status("Yes, please.", "interested is true"), "qualified")
      assert.strictEqual(yield* status("No.", "interested = yes"), "not_qualified")
      assert.strictEqual(yield* status("Hm.", "interested is true"), "unknown")
      assert.strictEqual(yield* status("Yes.", "the callee owns a house"), "unknown")
      assert.strictEqual(yield* status("Yes.", ""), "unknown")
    })
  )
})
