import { Context, Effect, Layer, Option, Queue, TestClock, TestContext } from "effect"
import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import * as Callbacks from "../../../adapters/meta/Callbacks.ts"
import * as Sender from "../../../adapters/meta/MessageSender.ts"
import * as Registry from "../../../adapters/meta/TemplateRegistry.ts"
import { CarrierCallbacks } from "../../../adapters/shared/CarrierCallbacks.ts"
import * as Inbox from "../../../adapters/simulated/WebhookInbox.ts"
import { inMemory } from "../../../apps/platform/InMemory.ts"
import { platform } from "../../../apps/platform/Platform.ts"
import { Repository } from "../../../core/ports/Repository.ts"
import { Templates } from "../../../core/usecases/Templates.ts"
import * as Messaging from "../../core/engine/MessageTenant.ts"
import * as Platform from "../../Platform.ts"
import { listenForCallbacks } from "../CallbackListener.ts"
import * as MetaServer from "./MetaServer.ts"
import { optionsOf, Stand } from "./Rig.ts"

/** Tells whenever a webhook has been answered. */
class Answered extends Context.Tag("test/meta/Answered")<Answered, Queue.Dequeue<number>>() {}

/** The whole platform with a stand-in for Meta as its provider of messages, webhooks over HTTP, and real time. */
const live = Layer.unwrapScoped(
  Effect.gen(function* () {
    const meta = yield* MetaServer.serve()
    const { handleBy, url } = yield* listenForCallbacks
    meta.subscribe(`${url}/callbacks/meta`)
    const answered = yield* Queue.unbounded<number>()
    const options = optionsOf(meta, { circuit: { probeAfter: "50 millis" } })
    const receiving = Effect.map(CarrierCallbacks, ({ handle }) =>
      handleBy((request) => Effect.tap(handle(request), ({ status }) => Queue.offer(answered, status)))
    )
    return Layer.effectDiscard(receiving).pipe(
      Layer.provideMerge(Callbacks.layer(MetaServer.secrets)),
      Layer.provideMerge(
        platform({ ...inMemory, sender: Sender.layer(options), registry: Registry.layer(options) })
      ),
      Layer.provideMerge(
        Layer.mergeAll(Inbox.layer, Layer.succeed(Stand, meta), Layer.succeed(Answered, answered))
      )
    )
  })
)

/** What is read, once it meets the condition: it is read again whenever a webhook has been answered. */
const until = <A, E, R>(read: Effect.Effect<A, E, R>, condition: (value: A) => boolean) =>
  Effect.gen(function* () {
    const answered = yield* Answered
    let value = yield* read
    while (!condition(value)) {
      yield* Queue.take(answered)
      value = yield* read
    }
    return value
  })

const hasEnded = (attempts: ReadonlyArray<{ readonly completed_at: number | null }>) =>
  attempts.length > 0 && attempts.every(({ completed_at }) => completed_at !== null)

/** A campaign that is under way. */
const begun = Effect.fnUntraced(function* (numbers: ReadonlyArray<string>) {
  const tenant = yield* Messaging.tenant()
  const { id } = yield* Messaging.campaign(tenant, numbers)
  yield* Messaging.start(tenant, id)
  return { tenant, id, attempts: Messaging.attempts(tenant, id) }
})

describe("a messaging campaign with Meta as its provider", () => {
  it.scopedLive("sends to every recipient once, and hears what became of each message and of replies", () =>
    Effect.gen(function* () {
      const meta = yield* Stand
      const { attempts, id, tenant } = yield* begun(["+14155550123", "+14155550003", "+14155550010"])
      yield* until(
        Messaging.recipients(tenant, id),
        (all) => (all.get("+14155550010")?.last_customer_message_at ?? null) !== null
      )
      const ended = yield* until(attempts, (all) => all.length === 3 && hasEnded(all))
      const call = yield* Repository
      const byNumber = new Map(
        yield* Effect.forEach(ended, (attempt) =>
          Effect.map(
            call.calls.get(tenant.workspace.id, attempt.call_id),
            (found) => [Option.getOrThrow(found).to_number.slice(-4), attempt] as const
          )
        )
      )
      const shown = (digits: string) => {
        const attempt = byNumber.get(digits)!
        return [attempt.channel, attempt.status, attempt.outcome, attempt.error_code]
      }
      assert.deepStrictEqual(shown("0123"), ["msg", "completed", "delivered", null])
      assert.deepStrictEqual(shown("0010"), ["msg", "completed", "delivered", null])
      assert.deepStrictEqual(shown("0003"), ["msg", "failed", "failed", "131049"])
      assert.isNotEmpty(byNumber.get("0003")?.error_message)
      const provided = ended.map(({ carrier_call_id }) => carrier_call_id).sort()
      assert.deepStrictEqual(provided, [...meta.messages.keys()].sort())
      const silent = (yield* Messaging.recipients(tenant, id)).get("+14155550123")
      assert.strictEqual(silent?.last_customer_message_at, null)
    }).pipe(Effect.provide(live))
  )

  const faults: Readonly<Record<string, MetaServer.Fault>> = {
    "whose answer is lost": ({ response }, take) => {
      take()
      response.destroy()
    },
    "that Meta takes and then answers 500": (asked, take) => {
      take()
      MetaServer.failure(asked, 500, 131_000)
    },
    "that Meta first turns away for our token": (asked) => MetaServer.failure(asked, 401, 190),
    "that Meta first has no room for": (asked) => MetaServer.failure(asked, 429, 130_429)
  }
  for (const [what, fault] of Object.entries(faults)) {
    it.scopedLive(`sends a message ${what} once, in one attempt, and knows its id`, () =>
      Effect.gen(function* () {
        const meta = yield* Stand
        meta.next(fault)
        const { attempts } = yield* begun(["+14155550123"])
        const ended = yield* until(attempts, hasEnded)
        assert.deepStrictEqual(
          ended.map(({ carrier_call_id, outcome }) => [carrier_call_id, outcome]),
          [[[...meta.messages.keys()][0]!, "delivered"]]
        )
        assert.strictEqual(meta.messages.size, 1)
      }).pipe(Effect.provide(live))
    )
  }

  it.scopedLive("believes receipts that come before the message's own answer", () =>
    Effect.gen(function* () {
      const meta = yield* Stand
      let held = () => {}
      meta.next((asked, take) => {
        const id = take()
        held = () => meta.accepted(asked, id)
      })
      const { attempts } = yield* begun(["+14155550123"])
      const before = yield* until(attempts, hasEnded)
      assert.deepInclude(before[0], { outcome: "delivered", carrier_call_id: [...meta.messages.keys()][0]! })
      held()
      yield* meta.settled
      const { completed_at, outcome, status } = before[0]!
      assert.deepInclude((yield* attempts)[0], { completed_at, outcome, status })
    }).pipe(Effect.provide(live))
  )

  it.scopedLive("waits for its template's review, which a webhook tells", () =>
    Effect.gen(function* () {
      const meta = yield* Stand
      meta.reviewAs("PENDING")
      const tenant = yield* Messaging.tenant()
      assert.strictEqual(tenant.template.status, "pending")
      const { id } = yield* Messaging.campaign(tenant, ["+14155550123"])
      const refused = yield* Effect.flip(Messaging.start(tenant, id))
      assert.include(String(refused), "approved")
      const [{ id: hsm, name }] = [...meta.templates.values()] as [MetaServer.StoredTemplate]
      const tell = (event: string) =>
        meta.tell(
          MetaServer.change("message_template_status_update", {
            event,
            message_template_id: hsm,
            message_template_name: name,
            message_template_language: "en",
            reason: "NONE"
          })
        )
      yield* Effect.promise(() => tell("APPROVED"))
      const template = (yield* Templates).get(tenant.workspace.id, tenant.template.id)
      assert.strictEqual((yield* template).status, "approved")
      yield* Messaging.start(tenant, id)
      yield* until(Messaging.attempts(tenant, id), hasEnded)
      yield* Effect.promise(() => tell("PAUSED"))
      assert.strictEqual((yield* template).status, "paused")
    }).pipe(Effect.provide(live))
  )
})

/** The whole platform in the test's own time; messages to 0008 are taken, and nothing more is told of them. */
const silent = Callbacks.layer(MetaServer.secrets).pipe(Layer.provideMerge(Platform.layer({ speed: 0.001 })))

/** Sends a message of which nothing is told; `status` makes one of its receipts, seconds after it was sent. */
const silentMessage = Effect.gen(function* () {
  yield* TestClock.setTime(Date.UTC(2026, 2, 7, 12))
  const tenant = yield* Messaging.tenant()
  const workspace_id = tenant.workspace.id
  const { id } = yield* Messaging.campaign(tenant, ["+14155550008"])
  yield* Messaging.start(tenant, id)
  yield* TestClock.adjust("100 seconds")
  const attempt = (yield* Messaging.attempts(tenant, id))[0]!
  const { handle } = yield* CarrierCallbacks
  const sent_at = attempt.started_at!
  const status = (seconds: number, status: string, more: MetaServer.Fields = {}) => ({
    id: "wamid.1",
    status,
    timestamp: String(sent_at / 1_000 + seconds),
    recipient_id: "14155550008",
    biz_opaque_callback_data: `${workspace_id}/${attempt.id}/${sent_at}`,
    ...more
  })
  const send = (value: unknown, secret?: string) => {
    const body = MetaServer.bodyOf(value)
    return Effect.map(
      handle({
        method: "POST",
        url: Callbacks.path,
        headers: { "x-hub-signature-256": MetaServer.signatureOf(body, secret) },
        body
      }),
      ({ status }) => status
    )
  }
  const tell = (...statuses: ReadonlyArray<unknown>) =>
    send(MetaServer.change("messages", { metadata: MetaServer.metadata, statuses }))
  const stored = Effect.gen(function* () {
    const repository = yield* Repository
    return {
      attempt: Option.getOrThrow(yield* repository.attempts.get(workspace_id, attempt.id)),
      call: Option.getOrThrow(yield* repository.calls.get(workspace_id, attempt.call_id)),
      balance: yield* repository.credits.balance(workspace_id),
      recipients: yield* Messaging.recipients(tenant, id)
    }
  })
  return { attempt, sent_at, send, status, stored, tell, tenant, workspace_id }
})

const inbound = (from: string, timestamp: number, to = "14155550100") =>
  MetaServer.change("messages", {
    metadata: { ...MetaServer.metadata, display_phone_number: to },
    messages: [{ from, id: "wamid.in", timestamp: String(timestamp), type: "text", text: { body: "Hi" } }]
  })

describe("webhooks to the platform", () => {
  it.effect("come out the same in any order, however often each is sent", () =>
    Effect.promise(() =>
      FastCheck.assert(
        FastCheck.asyncProperty(
          FastCheck.shuffledSubarray([0, 1, 2, 0, 1, 2], { minLength: 6 }),
          FastCheck.boolean(),
          (order, together) =>
            Effect.gen(function* () {
              const { sent_at, status, stored, tell } = yield* silentMessage
              const all = [status(1, "sent"), status(3, "delivered"), status(3, "read")]
              const sent = order.map((i) => all[i]!)
              const answers = together
                ? [yield* tell(...sent)]
                : yield* Effect.forEach(sent, (one) => tell(one))
              assert.isTrue(answers.every((answer) => answer === 200))
              const { attempt, balance, call } = yield* stored
              assert.deepInclude(call, { status: "completed", outcome: "delivered" })
              assert.deepInclude(attempt, {
                status: "completed",
                outcome: "delivered",
                completed_at: sent_at + 3_000
              })
              assert.strictEqual(balance, 999)
            }).pipe(
              Effect.provide(Layer.provideMerge(silent, TestContext.TestContext)),
              Effect.scoped,
              Effect.runPromise
            )
        ),
        { numRuns: 25 }
      )
    )
  )

  it.scoped("for unknown attempts are taken and change nothing", () =>
    Effect.gen(function* () {
      const { attempt, sent_at, status, stored, tell, workspace_id } = yield* silentMessage
      const before = yield* stored
      for (const reference of [
        `${workspace_id}/att_unknown/${sent_at}`,
        `ws_unknown/${attempt.id}/${sent_at}`,
        "of another account"
      ]) {
        const receipt = status(3, "delivered", { biz_opaque_callback_data: reference })
        assert.strictEqual(yield* tell(receipt), 200)
      }
      assert.deepStrictEqual(yield* stored, before)
    }).pipe(Effect.provide(silent))
  )

  it.scoped("that are forged are refused with 403 and change nothing", () =>
    Effect.gen(function* () {
      const { send, status, stored } = yield* silentMessage
      const before = yield* stored
      const receipt = MetaServer.change("messages", { statuses: [status(3, "delivered")] })
      assert.strictEqual(yield* send(receipt, "another secret"), 403)
      assert.strictEqual(yield* send(inbound("14155550008", 1_772_884_900), "another secret"), 403)
      assert.deepStrictEqual(yield* stored, before)
    }).pipe(Effect.provide(silent))
  )

  it.scoped("for a message that has ended change nothing any more", () =>
    Effect.gen(function* () {
      const { status, stored, tell } = yield* silentMessage
      yield* tell(status(3, "failed", { errors: [{ code: 131_026 }] }))
      const ended = yield* stored
      assert.deepInclude(ended.attempt, {
        status: "failed",
        sub_status: "invalid_number",
        error_code: "131026"
      })
      yield* tell(status(1, "sent"))
      yield* tell(status(4, "delivered"))
      assert.deepStrictEqual(yield* stored, ended)
    }).pipe(Effect.provide(silent))
  )

  it.scoped("of a customer's message open a window of 24 hours, which the latest of them keeps", () =>
    Effect.gen(function* () {
      const { send, sent_at, stored } = yield* silentMessage
      const second = sent_at / 1_000
      const window = Effect.map(
        stored,
        ({ recipients }) => [...recipients.values()][0]?.last_customer_message_at
      )
      assert.strictEqual(yield* window, null)
      for (const [from, to, latest] of [
        ["14155550199", "14155550100", null],
        ["14155550008", "14155550199", null],
        ["14155550008", "14155550100", 50],
        ["14155550008", "14155550100", 50]
      ] as const) {
        assert.strictEqual(yield* send(inbound(from, second + 50, to)), 200)
        assert.strictEqual(yield* window, latest === null ? null : sent_at + 1_000 * latest)
      }
      yield* send(inbound("14155550008", second + 20))
      assert.strictEqual(yield* window, sent_at + 50_000)
    }).pipe(Effect.provide(silent))
  )
})
