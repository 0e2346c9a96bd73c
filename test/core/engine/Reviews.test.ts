import { Clock, type Duration, Effect, Fiber, Layer, Logger } from "effect"
import { assert, describe } from "@effect/vitest"
import { WebhookInbox } from "../../../adapters/simulated/WebhookInbox.ts"
import { standardPrices } from "../../../apps/platform/Limits.ts"
import { CarrierReports } from "../../../core/engine/CarrierReports.ts"
import { ConversationRunner } from "../../../core/engine/ConversationRunner.ts"
import * as SimulatedLine from "../../../core/engine/SimulatedLine.ts"
import { toJson } from "../../../core/model/campaigns/Recipient.ts"
import type { Review } from "../../../core/model/conversations/Review.ts"
import { AgentModel } from "../../../core/ports/AgentModel.ts"
import { CallReviewer, type ReviewRequest } from "../../../core/ports/CallReviewer.ts"
import { ModelBusy, type ModelFailure, ModelUnavailable } from "../../../core/ports/ModelFailure.ts"
import { Prices } from "../../../core/ports/Prices.ts"
import { Repository } from "../../../core/ports/Repository.ts"
import { Campaigns } from "../../../core/usecases/Campaigns.ts"
import { Webhooks } from "../../../core/usecases/Webhooks.ts"
import { callees, campaign, place, tenant } from "../../Platform.ts"
import { answered, inTime, reading, sayingOnce, silent, stored } from "./Talks.ts"

const review: Review = {
  summary: "Ada will come.",
  sentiment: "positive",
  qualification_status: "qualified",
  answers: { guests: 2 }
}

/** A reviewer that answers so, one after the other, and with a review from then on. */
const reviewer = (...failures: ReadonlyArray<ModelFailure>) => {
  const asked: Array<ReviewRequest> = []
  const layer = Layer.succeed(CallReviewer, {
    review: (request) =>
      Effect.suspend(() => {
        asked.push(request)
        const failure = failures[asked.length - 1]
        return failure === undefined
          ? Effect.succeed({ review, usage: { input_tokens: 0, output_tokens: 0 } })
          : Effect.fail(failure)
      })
  })
  return { asked, layer }
}

const prices = Prices.layer({ ...standardPrices, review: 3 })

/** A call whose conversation is over, and the time at which it was. */
const talked = Effect.gen(function* () {
  const runner = yield* ConversationRunner
  const made = yield* answered
  yield* runner.hold(made.name, yield* SimulatedLine.make(reading("Yes, this is Ada.", "No, thank you.")))
  const { session } = yield* stored(made.name)
  return { ...made, ended_at: session.ended_at! }
})

const entriesOf = Effect.fnUntraced(function* (workspace_id: string, call_id: string) {
  const { credits } = yield* Repository
  const { data } = yield* credits.list(workspace_id, { reference: call_id }, { limit: 100, offset: 0 })
  return data.map(({ amount, kind }) => [kind, amount] as const)
})

const told = Effect.map(
  Effect.flatMap(WebhookInbox, ({ entries }) => entries),
  (entries) =>
    entries.map(({ message }) => ({ ...message, event: JSON.parse(message.body) as Record<string, unknown> }))
)

describe("the review of a call", () => {
  const made = reviewer()
  inTime(
    "is made of what was said when the call is over, paid for once, and told to those who ask for it",
    () =>
      Effect.gen(function* () {
        const { agent, call, name, webhook, workspace } = yield* talked
        const asking = yield* (yield* Webhooks).create(workspace.id, {
          url: "https://example.com/reviews",
          event_types: ["call_completed", "call_reviewed"]
        })
        yield* Effect.sleep("10 minutes")
        const { session, transcript } = yield* stored(name)
        assert.strictEqual(session.review_status, "done")
        assert.deepStrictEqual(session.review, review)
        assert.isNull(session.review_due_at)
        assert.strictEqual(session.credits, 3)
        assert.strictEqual(made.asked.length, 1)
        assert.deepStrictEqual(made.asked[0], {
          session_id: name.session_id,
          agent: { name: agent.name, prompt: "Call Ada", language: agent.language },
          policy: agent.review,
          transcript
        })
        const paid = yield* entriesOf(workspace.id, call.call_id)
        assert.deepStrictEqual(
          paid.filter(([kind]) => kind === "review"),
          [["review", -3]]
        )
        const events = yield* told
        const ofThis = (id: string) =>
          events.filter(({ webhook_id }) => webhook_id === id).map(({ event }) => event["event_type"])
        assert.deepStrictEqual(ofThis(asking.id), ["call_completed", "call_reviewed"])
        assert.notInclude(ofThis(webhook.id), "call_reviewed")
        const { data, ...head } = events.find(({ event }) => event["event_type"] === "call_reviewed")!.event
        assert.deepStrictEqual(data, { session_id: name.session_id, agent_version: 1, ...review })
        assert.include(head, { call_id: call.call_id, session_id: name.session_id, attempt_number: 1 })
      }),
    { reviewer: made.layer, prices }
  )

  const busy = reviewer(
    new ModelUnavailable({ message: "away" }),
    new ModelBusy({ message: "busy", retry_after: 600 }),
    new ModelUnavailable({ message: "away" })
  )
  inTime(
    "is tried again later each time, and no sooner than a busy model says",
    () =>
      Effect.gen(function* () {
        const { call, name, workspace } = yield* talked
        const triesWithin = (wait: `${number} ${"seconds" | "minutes"}`) =>
          Effect.map(Effect.sleep(wait), () => busy.asked.length)
        assert.strictEqual(yield* triesWithin("30 seconds"), 1)
        assert.strictEqual(yield* triesWithin("32 seconds"), 2)
        assert.strictEqual(yield* triesWithin("9 minutes"), 2)
        assert.strictEqual(yield* triesWithin("1 minutes"), 3)
        assert.strictEqual((yield* stored(name)).session.review_failures, 3)
        assert.strictEqual(yield* triesWithin("11 minutes"), 4)
        const { session } = yield* stored(name)
        assert.deepStrictEqual(session.review, review)
        assert.strictEqual(session.review_failures, 0)
        const paid = yield* entriesOf(workspace.id, call.call_id)
        assert.strictEqual(paid.filter(([kind]) => kind === "review").length, 1)
      }),
    { reviewer: busy.layer, prices }
  )

  const away = reviewer(...Array.from({ length: 9 }, () => new ModelUnavailable({ message: "away" })))
  inTime(
    "has failed after the fifth try, and costs nothing",
    () =>
      Effect.gen(function* () {
        const { call, name, workspace } = yield* talked
        yield* Effect.sleep("3 hours")
        const { session } = yield* stored(name)
        assert.strictEqual(session.review_status, "failed")
        assert.isNull(session.review)
        assert.strictEqual(away.asked.length, 5)
        const paid = yield* entriesOf(workspace.id, call.call_id)
        assert.notInclude(
          paid.map(([kind]) => kind),
          "review"
        )
      }),
    { reviewer: away.layer, prices }
  )

  const lines: Array<string> = []
  const log = Logger.replace(
    Logger.defaultLogger,
    Logger.map(Logger.logfmtLogger, (line) => void lines.push(line))
  )
  const dying = Layer.succeed(CallReviewer, {
    review: ({ transcript }) => Effect.die(new SyntaxError(JSON.stringify(transcript)))
  })
  inTime(
    "is tried again when the reviewer dies, and nothing that was said is logged",
    () =>
      Effect.gen(function* () {
        const { name } = yield* talked
        yield* Effect.sleep("31 seconds")
        assert.strictEqual((yield* stored(name)).session.review_failures, 1)
        const text = lines.join("\n")
        assert.include(text, "a reviewer failed")
        assert.include(text, "SyntaxError")
        assert.notInclude(text, "Ada")
      }),
    { reviewer: Layer.merge(dying, log) }
  )

  const unpaid = reviewer()
  inTime(
    "waits for credits, and asks no model before there are enough",
    () =>
      Effect.gen(function* () {
        const { name, workspace } = yield* talked
        const { credits } = yield* Repository
        const entry = (amount: number) => ({
          id: `led_${amount}`,
          customer_id: workspace.id,
          kind: "top_up" as const,
          amount,
          reference: null,
          created_at: 0
        })
        yield* credits.append(workspace.id, [entry(2 - (yield* credits.balance(workspace.id)))])
        yield* Effect.sleep("90 seconds")
        assert.strictEqual(unpaid.asked.length, 0)
        yield* credits.append(workspace.id, [entry(5)])
        yield* Effect.sleep("10 minutes")
        assert.strictEqual((yield* stored(name)).session.review_status, "done")
      }),
    { reviewer: unpaid.layer, prices }
  )

  const slow = Layer.succeed(CallReviewer, {
    review: () =>
      Effect.as(Effect.sleep("1 minute"), { review, usage: { input_tokens: 0, output_tokens: 0 } })
  })
  inTime(
    "is not stored when what was said was erased meanwhile",
    () =>
      Effect.gen(function* () {
        const { name } = yield* talked
        yield* Effect.sleep("50 seconds")
        const { sessions } = yield* Repository
        yield* sessions.erase(name.workspace_id, name.session_id)
        yield* Effect.sleep("10 minutes")
        const { session } = yield* stored(name)
        assert.isNull(session.review)
        assert.strictEqual(session.review_status, "none")
        assert.strictEqual(session.credits, 0)
      }),
    { reviewer: slow, prices }
  )

  inTime(
    "fills in what is known of a campaign's recipient",
    () =>
      Effect.gen(function* () {
        const runner = yield* ConversationRunner
        const { calls, recipients } = yield* Repository
        const made = yield* tenant()
        const { id } = yield* campaign(made, callees(1, "0006"))
        yield* (yield* Campaigns).start(made.workspace.id, id)
        yield* Effect.sleep("10 seconds")
        const page = { limit: 9, offset: 0 }
        const [live] = (yield* calls.list(made.workspace.id, { campaign_id: id }, page)).data
        const name = { workspace_id: made.workspace.id, session_id: live!.session_id! }
        yield* runner.hold(name, yield* SimulatedLine.make(reading("Two of us will come.")))
        yield* Effect.sleep("10 minutes")
        const [recipient] = (yield* recipients.list(made.workspace.id, id, {}, page)).data
        const { answers, qualification_status, sentiment } = JSON.parse(toJson(recipient!)) as Review
        assert.deepStrictEqual(
          { answers, qualification_status, sentiment },
          {
            answers: { guests: 2 },
            qualification_status: "qualified",
            sentiment: "positive"
          }
        )
        assert.strictEqual(recipient!.status, "completed")
        for (const [filter, total] of [
          [{ sentiment: "positive", qualification_status: "qualified", answers: { guests: "2" } }, 1],
          [{ answers: { guests: "3" } }, 0]
        ] as const) {
          assert.strictEqual((yield* recipients.list(made.workspace.id, id, filter, page)).total, total)
        }
      }),
    { reviewer: reviewer().layer }
  )
})

describe("a session whose process has died", () => {
  /** A talk that is broken off: no process holds it from here on. */
  const brokenOff = (of: SimulatedLine.TalkingCallee, after: Duration.DurationInput = "5 seconds") =>
    Effect.gen(function* () {
      const runner = yield* ConversationRunner
      const made = yield* answered
      const held = yield* Effect.fork(runner.hold(made.name, yield* SimulatedLine.make(of)))
      yield* Effect.sleep(after)
      yield* Fiber.interrupt(held)
      return made
    })

  const made = reviewer()
  inTime(
    "is closed with its call when it counts as abandoned, and what was said is reviewed",
    () =>
      Effect.gen(function* () {
        const { name } = yield* brokenOff(reading("Yes, this is Ada."))
        yield* Effect.sleep("9 minutes")
        assert.strictEqual((yield* stored(name)).session.status, "open")
        yield* Effect.sleep("5 minutes")
        const { session, state } = yield* stored(name)
        assert.strictEqual(session.status, "over")
        assert.strictEqual(session.reason, "user_hangup")
        assert.strictEqual(state.over?.reason, "user_hangup")
        assert.strictEqual(session.ended_at, state.over?.at)
        assert.deepStrictEqual(session.review, review)
        assert.include(
          made.asked.flatMap(({ transcript }) => transcript.map(({ text }) => text)),
          "Yes, this is Ada."
        )
      }),
    { reviewer: made.layer }
  )

  inTime("is closed soon when the carrier tells that its call is over", () =>
    Effect.gen(function* () {
      const { record } = yield* CarrierReports
      const { call, name } = yield* brokenOff(reading("Yes, this is Ada."))
      const at = yield* Clock.currentTimeMillis
      const progress = {
        _tag: "Ended",
        at,
        outcome: "answered",
        sub_status: "user_hangup",
        duration_seconds: 12,
        error_code: null,
        error_message: null,
        held: true
      } as const
      yield* record([{ workspace_id: name.workspace_id, key: call.attempt_id!, progress }])
      yield* Effect.sleep("14 seconds")
      assert.strictEqual((yield* stored(name)).session.status, "open", "its process may yet store the end")
      yield* Effect.sleep("2 seconds")
      const { session } = yield* stored(name)
      assert.deepStrictEqual([session.status, session.reason, session.ended_at], ["over", "user_hangup", at])
    })
  )

  inTime("is closed as the carrier's fault when that is why its call is over", () =>
    Effect.gen(function* () {
      const { record } = yield* CarrierReports
      const { call, name } = yield* brokenOff(reading("Yes, this is Ada."))
      const progress = {
        _tag: "Ended",
        at: yield* Clock.currentTimeMillis,
        outcome: "failed",
        sub_status: "carrier_error",
        duration_seconds: 12,
        error_code: "64105",
        error_message: "the relay lost the conversation"
      } as const
      yield* record([{ workspace_id: name.workspace_id, key: call.attempt_id!, progress }])
      yield* Effect.sleep("14 minutes")
      const { session } = yield* stored(name)
      assert.deepStrictEqual(
        [session.status, session.reason, session.error_code],
        ["over", "carrier_error", "64105"]
      )
    })
  )

  inTime(
    "puts the number on the do-not-call list when its callee asked for that before the process died",
    () =>
      Effect.gen(function* () {
        const { doNotCall } = yield* Repository
        const { call, name } = yield* brokenOff(reading("Please do not call me again."), "8 seconds")
        const isListed = doNotCall.contains(name.workspace_id, call.to_number)
        const { tools } = (yield* stored(name)).state
        assert.include(
          Object.values(tools).map((use) => use.name),
          "do_not_call"
        )
        // What the process was about to store when it died.
        yield* doNotCall.remove(name.workspace_id, call.to_number)
        yield* Effect.sleep("15 minutes")
        assert.strictEqual((yield* stored(name)).session.status, "over")
        assert.isTrue(yield* isListed)
      })
  )

  inTime(
    "has put the number on the do-not-call list as soon as its callee said stop",
    () =>
      Effect.gen(function* () {
        const { doNotCall } = yield* Repository
        const { call, name } = yield* brokenOff(sayingOnce("Stop."), "8 seconds")
        assert.isTrue(yield* doNotCall.contains(name.workspace_id, call.to_number))
        assert.strictEqual((yield* stored(name)).session.status, "open")
      }),
    { mind: Layer.succeed(AgentModel, { name: "silent", reply: () => Effect.never }) }
  )

  inTime("is not reviewed when the callee has said nothing", () =>
    Effect.gen(function* () {
      const { name } = yield* brokenOff(silent)
      yield* Effect.sleep("15 minutes")
      const { session } = yield* stored(name)
      assert.strictEqual(session.status, "over")
      assert.strictEqual(session.review_status, "none")
    })
  )

  inTime("has failed at the carrier when its call is still under way and nothing is heard any more", () =>
    Effect.gen(function* () {
      const { attempts } = yield* Repository
      const { name } = yield* brokenOff(silent)
      yield* Effect.sleep("1 minute")
      const attempt = yield* Effect.flatten(
        attempts.get(name.workspace_id, name.session_id.replace("sess_", "att_"))
      )
      yield* attempts.update({ ...attempt, status: "in_progress" })
      yield* Effect.sleep("15 minutes")
      const { session } = yield* stored(name)
      assert.deepStrictEqual([session.status, session.reason], ["over", "carrier_error"])
    })
  )

  inTime("stays open while its conversation goes on", () =>
    Effect.gen(function* () {
      const { sessions } = yield* Repository
      const runner = yield* ConversationRunner
      const made = yield* answered
      const { name } = made
      const held = yield* Effect.fork(runner.hold(name, yield* SimulatedLine.make(silent)))
      yield* Effect.sleep("3 seconds")
      const { session } = yield* stored(name)
      yield* sessions.update({ ...session, review_due_at: 0, version: session.version + 1 })
      // Wakes the loop.
      yield* place(made, "0001")
      yield* Effect.sleep("5 seconds")
      assert.strictEqual((yield* stored(name)).session.status, "open")
      yield* Fiber.join(held)
      yield* Effect.sleep("10 minutes")
      const { session: ended } = yield* stored(name)
      assert.deepStrictEqual([ended.status, ended.reason], ["over", "idle_timeout"])
    })
  )
})
