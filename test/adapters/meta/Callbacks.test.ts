import { assert, describe, it } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import { numbersOf } from "../../../adapters/meta/NumberVariants.ts"
import * as Events from "../../../adapters/meta/WebhookEvents.ts"
import type { Progress } from "../../../core/model/calls/CarrierProgress.ts"
import { StoreUnavailable } from "../../../core/ports/Repository.ts"
import * as MetaServer from "./MetaServer.ts"
import { receiver } from "./Receiving.ts"

const sent_at = Date.UTC(2026, 2, 7, 12, 0, 0, 700)
const now = sent_at + 100_000
const at = sent_at + 30_300
const timestamp = String(at / 1_000)
const biz_opaque_callback_data = `ws_1/att_1/${sent_at}`

const status = (more: MetaServer.Fields) => ({
  id: "wamid.1",
  timestamp,
  recipient_id: "15550001234",
  biz_opaque_callback_data,
  ...more
})
const statuses = (...all: ReadonlyArray<unknown>) =>
  MetaServer.change("messages", {
    messaging_product: "whatsapp",
    metadata: MetaServer.metadata,
    statuses: all
  })
const inbound = (...messages: ReadonlyArray<unknown>) =>
  MetaServer.change("messages", {
    messaging_product: "whatsapp",
    metadata: MetaServer.metadata,
    contacts: [{ profile: { name: "Åsa" }, wa_id: "15550001234" }],
    messages
  })
const text = { from: "15550001234", id: "wamid.2", timestamp, type: "text", text: { body: "Hej 🎿" } }
const review = (more: MetaServer.Fields) =>
  MetaServer.change("message_template_status_update", {
    event: "APPROVED",
    message_template_id: 1_689_556_908_129_832,
    message_template_name: "ws_01h_order_1",
    message_template_language: "en-US",
    reason: "NONE",
    message_template_category: "UTILITY",
    ...more
  })

const read = (value: unknown) => Events.read(MetaServer.bodyOf(value), now)
const told = (more: MetaServer.Fields): ReadonlyArray<Progress> =>
  read(statuses(status(more))).receipts.map(({ progress }) => progress)

const ended = (more: object) => ({
  _tag: "Ended",
  at,
  outcome: "delivered",
  sub_status: null,
  duration_seconds: 0,
  error_code: null,
  error_message: null,
  ...more
})

describe("a receipt", () => {
  it("tells that the message was sent, and that it was delivered: one that was read was", () => {
    assert.deepStrictEqual(told({ status: "sent" }), [{ _tag: "Sent", at }])
    for (const status of ["delivered", "read", "played"]) {
      assert.deepStrictEqual(told({ status }), [ended({})] as never)
    }
  })

  for (const [code, end] of [
    [131_026, { outcome: "failed", sub_status: "invalid_number" }],
    [131_049, { outcome: "failed", sub_status: "carrier_error" }],
    [131_050, { outcome: "rejected", sub_status: "do_not_call" }],
    [132_015, { outcome: "failed", sub_status: "template_not_approved" }],
    [131_042, { outcome: "failed", sub_status: "carrier_error" }],
    [130_429, { outcome: "failed", sub_status: "carrier_error" }],
    [1, { outcome: "failed", sub_status: "carrier_error" }]
  ] as const) {
    it(`tells of a failure with ${code}: ${end.sub_status}, in words of our own`, () => {
      const [failed] = told({
        status: "failed",
        errors: [{ code, title: "To 15550001234", message: "To 15550001234" }]
      })
      assert.deepInclude(failed, { _tag: "Ended", at, error_code: String(code), ...end })
      if (failed?._tag !== "Ended") return
      assert.isNotEmpty(failed.error_message)
      assert.notInclude(failed.error_message, "1555")
      assert.strictEqual(failed.carrier_message, "To *******1234")
    })
  }

  it("tells of a failure without a reason", () => {
    for (const errors of [undefined, [], [{}], ["x"], [{ code: "x" }]]) {
      assert.deepInclude(told({ status: "failed", errors })[0], {
        outcome: "failed",
        sub_status: "carrier_error",
        error_code: null
      })
    }
  })

  it("tells nothing of what is not known", () => {
    for (const status of ["accepted", "deleted", "warning", "", "constructor"]) {
      assert.deepStrictEqual(told({ status }), [])
    }
  })

  it("is filed under the key that was sent along, and under no other", () => {
    const [receipt] = read(statuses(status({ status: "sent" }))).receipts
    assert.deepStrictEqual(receipt?.reference, { workspace_id: "ws_1", key: "att_1", sent_at })
    assert.strictEqual(receipt?.provider_message_id, "wamid.1")
    for (const biz_opaque_callback_data of [undefined, "", "att_1", "ws_1/att_1", "ws_1/att_1/x", "{}", 7]) {
      assert.deepStrictEqual(told({ status: "sent", biz_opaque_callback_data }), [])
    }
  })

  it("is never before the message nor in the future, whatever time it names", () => {
    const atOf = (timestamp: unknown) => told({ status: "sent", timestamp })[0]?.at
    assert.strictEqual(atOf(String(Math.floor(sent_at / 1_000))), sent_at, "Meta's seconds are whole ones")
    assert.strictEqual(atOf("0"), sent_at)
    assert.strictEqual(atOf(Math.floor(at / 1_000)), Math.floor(at / 1_000) * 1_000)
    assert.strictEqual(atOf("99999999999"), now)
    for (const odd of [undefined, null, "soon"]) assert.strictEqual(atOf(odd), now)
  })
})

describe("what a customer sends", () => {
  const replies = (...messages: ReadonlyArray<unknown>) => read(inbound(...messages)).replies

  it("is a reply to the number that it came to, whatever kind of message it is", () => {
    for (const type of ["text", "image", "button", "interactive", "reaction", "unsupported"]) {
      assert.deepStrictEqual(replies({ ...text, type }), [
        { from_number: "+15550001234", to_number: "+15557654321", at, text: "Hej 🎿" }
      ])
    }
  })

  it("has the text of a message or of the button that was pressed, where there is one", () => {
    const said = (more: object) => replies({ ...text, text: undefined, ...more }).map((reply) => reply.text)
    assert.deepStrictEqual(said({ type: "button", button: { text: "Stop promotions", payload: "x" } }), [
      "Stop promotions"
    ])
    const interactive = { type: "button_reply", button_reply: { id: "1", title: "Stop" } }
    assert.deepStrictEqual(said({ type: "interactive", interactive }), ["Stop"])
    assert.deepStrictEqual(said({ type: "image", image: { id: "1" } }), [undefined])
    assert.deepStrictEqual(said({ text: { body: 7 } }), [undefined])
  })

  it("is no reply when WhatsApp itself writes, or when no sender can be read from it", () => {
    assert.deepStrictEqual(
      replies({ ...text, type: "system" }, { ...text, from: undefined }, { ...text, from: "ab" }, null, 7),
      []
    )
  })

  it("comes from a number in each of its spellings", () => {
    for (const [one, other] of [
      ["525512345678", "5215512345678"],
      ["541112345678", "5491112345678"],
      ["551187654321", "5511987654321"]
    ] as const) {
      assert.deepStrictEqual(new Set(numbersOf(one)), new Set([`+${one}`, `+${other}`]))
      assert.deepStrictEqual(new Set(numbersOf(other)), new Set([`+${one}`, `+${other}`]))
    }
    for (const plain of ["15550001234", "5511321234567", "551132123456", "4915112345678"]) {
      assert.deepStrictEqual(numbersOf(plain), [`+${plain}`])
    }
  })
})

describe("the review of a template", () => {
  const reviews = (more: MetaServer.Fields) => read(review(more)).reviews

  it("is told to its workspace, by its own name there and its language", () => {
    assert.deepStrictEqual(reviews({}), [
      {
        workspace_id: "ws_01h",
        template: { name: "order_1", language: "en_US" },
        review: { provider_template_id: "1689556908129832", status: "approved", rejection_reason: null }
      }
    ])
  })

  it("tells how it stands now", () => {
    for (const [event, status] of [
      ["APPROVED", "approved"],
      ["REINSTATED", "approved"],
      ["PENDING", "pending"],
      ["IN_APPEAL", "pending"],
      ["PAUSED", "paused"],
      ["DISABLED", "disabled"],
      ["PENDING_DELETION", "disabled"],
      ["DELETED", "disabled"]
    ] as const) {
      assert.deepInclude(reviews({ event, reason: "NONE" })[0]?.review, { status, rejection_reason: null })
    }
  })

  it("tells why a template is rejected, as closely as Meta does", () => {
    const reasonOf = (more: MetaServer.Fields) =>
      reviews({ event: "REJECTED", ...more })[0]?.review.rejection_reason
    assert.strictEqual(reasonOf({ reason: "SCAM" }), "SCAM")
    assert.strictEqual(
      reasonOf({
        reason: "INVALID_FORMAT",
        rejection_info: { reason: "Two parameters stand side by side." }
      }),
      "Two parameters stand side by side."
    )
    assert.strictEqual(reasonOf({ reason: null }), "rejected, without a reason")
  })

  it("changes nothing when a template is only flagged, locked or archived, or is none of ours", () => {
    for (const event of ["FLAGGED", "LOCKED", "ARCHIVED", "LIMIT_EXCEEDED", "valueOf"]) {
      assert.deepStrictEqual(reviews({ event }), [])
    }
    for (const message_template_name of ["order_1", "ws_", "ws_01", "hello_ws_01h_x"]) {
      assert.deepStrictEqual(reviews({ message_template_name }), [])
    }
  })

  it("has the id to its last digit, however long, and leaves texts alone that look like one", () => {
    const body = MetaServer.bodyOf(review({ message_template_id: "@" }))
    const long = Events.read(body.replace('"@"', "98765432109876543210"), now).reviews[0]
    assert.strictEqual(long?.review.provider_template_id, "98765432109876543210")
    const odd = read(review({ event: "REJECTED", reason: 'say "message_template_id": 5' })).reviews[0]
    assert.strictEqual(odd?.review.rejection_reason, 'say "message_template_id": 5')
  })
})

describe("a webhook", () => {
  it("may hold many entries and changes; what is strange in one thing does not spoil the others", () => {
    const entry = (value: { readonly entry: ReadonlyArray<unknown> }) => value.entry
    const { receipts, replies, reviews } = read({
      object: "whatsapp_business_account",
      entry: [
        ...entry(
          statuses(null, { status: 7 }, status({ status: "sent" }), "x", status({ status: "delivered" }))
        ),
        ...entry(MetaServer.change("account_alerts", { entity_type: "x" })),
        {
          id: "1",
          changes: [7, null, { field: 1 }, { field: "messages" }, { field: "messages", value: {} }]
        },
        { id: "2" },
        ...entry(inbound(text, {})),
        ...entry(review({})),
        ...entry(review({ message_template_id: null }))
      ]
    })
    assert.deepStrictEqual(
      receipts.map(({ progress }) => progress._tag),
      ["Sent", "Ended"]
    )
    assert.deepStrictEqual([replies.length, reviews.length], [1, 1])
  })

  it("tells nothing when it is no webhook of this kind", () => {
    const nothing = { receipts: [], replies: [], reviews: [] }
    for (const value of [null, 7, "x", [], {}, { entry: 7 }, { entry: [] }, { object: "page" }]) {
      assert.deepStrictEqual(read(value), nothing)
    }
    assert.deepStrictEqual(Events.read("<html>", now), nothing)
  })
})

const url = "/callbacks/meta"
const signed = (value: unknown, secret?: string) => {
  const body = MetaServer.bodyOf(value)
  return {
    method: "POST",
    url,
    headers: { "x-hub-signature-256": MetaServer.signatureOf(body, secret) },
    body
  }
}
const all = {
  object: "whatsapp_business_account",
  entry: [statuses(status({ status: "sent" })), inbound(text), review({})].flatMap(({ entry }) => entry)
}

describe("the receiver of webhooks", () => {
  it.effect("takes what is signed", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      const { handle, recorded, replies, reviews } = yield* receiver()
      const answer = yield* handle(signed(all))
      assert.deepInclude(answer, { status: 200 })
      assert.deepStrictEqual(recorded, [
        { workspace_id: "ws_1", key: "att_1", progress: { _tag: "Sent", at } }
      ])
      assert.deepStrictEqual(replies, [
        { from_number: "+15550001234", to_number: "+15557654321", at, text: "Hej 🎿" }
      ])
      assert.deepStrictEqual(reviews, [
        [
          "ws_01h",
          { name: "order_1", language: "en_US" },
          { provider_template_id: "1689556908129832", status: "approved", rejection_reason: null }
        ]
      ])
    }).pipe(Effect.scoped)
  )

  it.effect("knows the example of Meta's documentation, whose body has escapes", () =>
    Effect.gen(function* () {
      const { handle, replies } = yield* receiver()
      const request = signed(inbound({ ...text, text: { body: "äöå 🎿 </script>" } }))
      assert.include(request.body, "\\u00e4\\u00f6\\u00e5")
      assert.strictEqual((yield* handle(request)).status, 200)
      assert.strictEqual(replies.length, 1)
    }).pipe(Effect.scoped)
  )

  it.effect("refuses what is not signed by the app with 403, and records nothing of it", () =>
    Effect.gen(function* () {
      const { handle, recorded, replies, reviews } = yield* receiver()
      const good = signed(all)
      const signature = good.headers["x-hub-signature-256"]
      for (const forged of [
        signed(all, "another secret"),
        signed(all, ""),
        { ...good, headers: {} },
        { ...good, headers: { "x-hub-signature-256": "" } },
        { ...good, headers: { "x-hub-signature-256": "sha256=" } },
        { ...good, headers: { "x-hub-signature-256": signature.slice("sha256=".length) } },
        { ...good, headers: { "x-hub-signature-256": signature.slice(0, -1) } },
        { ...good, headers: { "x-hub-signature": signature } },
        { ...good, body: good.body.replace("sent", "read") },
        { ...good, body: `${good.body} ` },
        { ...good, body: "" }
      ]) {
        assert.strictEqual((yield* handle(forged)).status, 403)
      }
      assert.deepStrictEqual([recorded, replies, reviews], [[], [], []])
    }).pipe(Effect.scoped)
  )

  it.effect("proves itself when Meta verifies its address, and to no other caller", () =>
    Effect.gen(function* () {
      const { handle } = yield* receiver()
      const verify = (query: Record<string, string>) =>
        handle({ method: "GET", url: `${url}?${new URLSearchParams(query)}`, headers: {}, body: "" })
      const good = {
        "hub.mode": "subscribe",
        "hub.verify_token": MetaServer.verifyToken,
        "hub.challenge": "1158201444"
      }
      assert.deepStrictEqual(yield* verify(good), {
        status: 200,
        body: "1158201444",
        contentType: "text/plain"
      })
      for (const bad of [
        { ...good, "hub.verify_token": "another" },
        { ...good, "hub.verify_token": "" },
        { ...good, "hub.mode": "unsubscribe" },
        {}
      ]) {
        const { body, status } = yield* verify(bad as Record<string, string>)
        assert.strictEqual(status, 403)
        assert.notInclude(body, "1158201444")
      }
    }).pipe(Effect.scoped)
  )

  it.effect("answers 404 for what is not its own", () =>
    Effect.gen(function* () {
      const { handle } = yield* receiver()
      for (const other of [
        { url: "/" },
        { url: "/callbacks/metal" },
        { method: "PUT" },
        { method: "DELETE" }
      ]) {
        assert.strictEqual((yield* handle({ ...signed(all), ...other })).status, 404)
      }
    }).pipe(Effect.scoped)
  )

  it.effect("answers 503 while something cannot be stored, so that it is sent again", () =>
    Effect.gen(function* () {
      const away = () => Effect.die(new StoreUnavailable({ cause: new Error("disk full") }))
      for (const takers of [{ record: away }, { reply: away }, { reviewed: away }]) {
        const { handle } = yield* receiver(takers)
        assert.strictEqual((yield* handle(signed(all))).status, 503)
      }
    }).pipe(Effect.scoped)
  )

  it.effect("answers 503 while a template is still being submitted, and takes all the rest", () =>
    Effect.gen(function* () {
      const { handle, recorded, replies } = yield* receiver({ reviewed: () => Effect.succeed(false) })
      assert.strictEqual((yield* handle(signed(all))).status, 503)
      assert.deepStrictEqual([recorded.length, replies.length], [1, 1])
    }).pipe(Effect.scoped)
  )
})
