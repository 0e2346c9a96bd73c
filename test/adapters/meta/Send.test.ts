import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Logger } from "effect"
import * as Meanings from "../../../adapters/meta/ErrorCodes.ts"
import type { MessageRequest } from "../../../core/model/messages/MessageRequest.ts"
import { from_number, messageRequest } from "../../contracts/MessageSender.ts"
import { makeTemplate } from "../../contracts/repository/Fixtures.ts"
import { failure, type Fault, type Message, metadata, token } from "./MetaServer.ts"
import { sender } from "./Rig.ts"

const to = "+15550001234"

type Context = Effect.Effect.Success<ReturnType<typeof sender>>

const tagOf = (request: MessageRequest, { sender }: Context) =>
  Effect.match(sender.send(request), { onSuccess: () => "Taken", onFailure: ({ _tag }) => _tag })

const refuse =
  (status: number, code: number, more = {}): Fault =>
  (asked) =>
    failure(asked, status, code, more)
const bare =
  (status: number, body = ""): Fault =>
  ({ response }) =>
    response.writeHead(status).end(body)

const posted = ({ meta }: Context) => meta.asked.filter(({ path }) => path.endsWith("/messages"))
const listed = ({ meta }: Context) => meta.asked.filter(({ path }) => path.endsWith("/phone_numbers"))

const sent = Effect.fnUntraced(function* (over: Partial<MessageRequest>) {
  const rig = yield* sender()
  yield* rig.sender.send(messageRequest("att_1", to, over))
  return posted(rig)[0]!.body as Message
})

const parametersOf = (parts: Partial<Record<"header" | "body" | "buttons", Record<string, string>>>) => ({
  header: new Map(Object.entries(parts.header ?? {})),
  body: new Map(Object.entries(parts.body ?? {})),
  buttons: new Map(Object.entries(parts.buttons ?? {}))
})

describe("what Meta refuses", () => {
  const tagsOf = (
    ...refusals: ReadonlyArray<readonly [status: number, code: number | null, subcode?: number]>
  ) =>
    refusals.map(([status, code, error_subcode = null]) => {
      const words = { message: null, error_user_title: null, error_user_msg: null, error_data: null }
      return Meanings.ofRefusal(status, code === null ? null : { code, error_subcode, ...words })._tag
    })

  it("is told by its code, and by its status where that says nothing", () => {
    assert.deepStrictEqual(tagsOf([400, 4], [400, 17], [400, 80_008], [429, null], [429, 999_999]), [
      "Later",
      "Later",
      "Later",
      "Later",
      "Later"
    ])
    assert.deepStrictEqual(tagsOf([400, 190], [401, null], [403, null], [400, 219]), [
      "Account",
      "Account",
      "Account",
      "Account"
    ])
    assert.deepStrictEqual(tagsOf([404, null], [400, 100, 33], [400, 33]), ["Number", "Number", "Number"])
    assert.deepStrictEqual(tagsOf([400, null], [400, 100], [400, 1]), ["Refused", "Refused", "Refused"])
  })
})

describe("a message at Meta", () => {
  it.scopedLive("goes out from the number's own id, with what will be handed back", () =>
    Effect.gen(function* () {
      const rig = yield* sender()
      const began = Date.now()
      const id = yield* rig.sender.send(messageRequest("att_1", to))
      assert.deepStrictEqual([...rig.meta.messages.keys()], [id])
      const [{ body, headers, path }] = posted(rig) as [ReturnType<typeof posted>[number]]
      assert.strictEqual(path, `/v23.0/${metadata.phone_number_id}/messages`)
      assert.strictEqual(headers.authorization, `Bearer ${token}`)
      const { biz_opaque_callback_data, ...rest } = body
      assert.deepStrictEqual(rest, {
        messaging_product: "whatsapp",
        recipient_type: "individual",
        to,
        type: "template",
        template: {
          name: "ws_a_reminder_1",
          language: { code: "en_US" },
          components: [{ type: "body", parameters: [{ type: "text", text: "Ada" }] }]
        }
      })
      const [workspace_id, key, sent_at] = String(biz_opaque_callback_data).split("/")
      assert.deepStrictEqual([workspace_id, key], ["ws_1", "att_1"])
      assert.isTrue(Number(sent_at) >= began && Number(sent_at) <= Date.now())
    })
  )

  it.scopedLive("fills placeholders in their order, by name where they have names", () =>
    Effect.gen(function* () {
      const positional = yield* sent({ parameters: parametersOf({ body: { 1: "a", 2: "b", 10: "c" } }) })
      assert.deepStrictEqual(positional.template.components, [
        {
          type: "body",
          parameters: ["a", "b", "c"].map((text) => ({ type: "text", text }))
        }
      ])
      const named = yield* sent({
        template: makeTemplate(1, {
          parameter_format: "named",
          components: [
            { type: "header", format: "text", text: "Hello {{who}}" },
            { type: "body", text: "On {{day}} at {{place}}." },
            {
              type: "buttons",
              buttons: [
                { type: "quick_reply", text: "Yes" },
                { type: "url", text: "See", url: "https://a.example/{{1}}" }
              ]
            }
          ]
        }),
        parameters: parametersOf({
          header: { who: "Ada" },
          body: { day: "Monday", place: "Åre" },
          buttons: { 1: "order/1" }
        })
      })
      assert.deepStrictEqual(named.template.components, [
        { type: "header", parameters: [{ type: "text", parameter_name: "who", text: "Ada" }] },
        {
          type: "body",
          parameters: [
            { type: "text", parameter_name: "day", text: "Monday" },
            { type: "text", parameter_name: "place", text: "Åre" }
          ]
        },
        {
          type: "button",
          sub_type: "url",
          index: "1",
          parameters: [{ type: "text", text: "order/1" }]
        }
      ])
    })
  )

  for (const format of ["image", "video", "document"] as const) {
    it.scopedLive(`has its ${format} by link`, () =>
      Effect.gen(function* () {
        const { template } = yield* sent({
          template: makeTemplate(1, {
            components: [
              { type: "header", format },
              { type: "body", text: "Hello." }
            ]
          }),
          parameters: parametersOf({ header: { link: "https://a.example/1" } })
        })
        assert.deepStrictEqual(template.components, [
          { type: "header", parameters: [{ type: format, [format]: { link: "https://a.example/1" } }] }
        ])
      })
    )
  }

  it.scopedLive("has its place", () =>
    Effect.gen(function* () {
      const place = { latitude: "63.399", longitude: "13.082", name: "Åre", address: "Torget 1" }
      const { template } = yield* sent({
        template: makeTemplate(1, {
          components: [
            { type: "header", format: "location" },
            { type: "body", text: "Hello." },
            { type: "footer", text: "Bye" }
          ]
        }),
        parameters: parametersOf({ header: place })
      })
      assert.deepStrictEqual(template.components, [
        { type: "header", parameters: [{ type: "location", location: place }] }
      ])
    })
  )

  it.scopedLive("learns the account's numbers once, however many messages begin together", () =>
    Effect.gen(function* () {
      const rig = yield* sender()
      yield* Effect.forEach(
        Array.from({ length: 20 }, (_, i) => `att_${i}`),
        (key) => rig.sender.send(messageRequest(key, to)),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(listed(rig).length, 1)
      assert.strictEqual(posted(rig).length, 20)
    })
  )

  it.scopedLive("is refused for a number that the account does not have, and asks for it once a minute", () =>
    Effect.gen(function* () {
      const rig = yield* sender()
      const request = messageRequest("att_1", to, { from_number: "+14155550199" })
      for (let i = 0; i < 3; i++) {
        const refusal = yield* Effect.flip(rig.sender.send(request))
        assert.strictEqual(refusal._tag, "DialRefused")
        if (refusal._tag !== "DialRefused") return
        assert.deepStrictEqual([refusal.outcome, refusal.sub_status], ["failed", "phone_number_not_found"])
      }
      assert.strictEqual(listed(rig).length, 1)
      assert.strictEqual(posted(rig).length, 0)
    })
  )

  it.scopedLive("looks its number up again when Meta does not know it any more", () =>
    Effect.gen(function* () {
      const rig = yield* sender()
      const request = messageRequest("att_1", to)
      yield* rig.sender.send(request)
      rig.meta.numbers.clear()
      rig.meta.numbers.set("1000000000000001", "+1 (555) 765 4321")
      assert.strictEqual(yield* tagOf(request, rig), "CarrierUnreachable")
      assert.strictEqual(yield* tagOf(request, rig), "Taken")
      assert.strictEqual(posted(rig).at(-1)?.path, "/v23.0/1000000000000001/messages")
    })
  )

  it.scopedLive("is unreachable when the connection is refused or the name has no address", () =>
    Effect.gen(function* () {
      const port = yield* Effect.scoped(Effect.map(sender(), ({ meta }) => meta.port))
      for (const url of [`http://127.0.0.1:${port}`, `http://localhost:${port}`, "http://graph.invalid"]) {
        assert.strictEqual(
          yield* tagOf(messageRequest("att_1", to), yield* sender({ url })),
          "CarrierUnreachable"
        )
      }
    })
  )

  const doubtful: Readonly<Record<string, Fault>> = {
    "there is no answer in time": () => {},
    "the connection is dropped before the answer": ({ response }) => response.destroy(),
    "the connection is dropped although the message was taken": ({ response }, take) => {
      take()
      response.destroy()
    },
    "the answer breaks off half way": ({ response }, take) => {
      response.writeHead(200, { "content-length": 1_000 })
      response.write(`{"messages":[{"id":"${take()}"`, () => response.destroy())
    },
    "the answer drips in and does not end in time": ({ response }, take) => {
      response.writeHead(200)
      response.write(`{"messages":[{"id":"${take()}"`)
    },
    "the answer is not JSON": bare(200, "<html>"),
    "the answer names no message": bare(200, '{"messages":[]}'),
    "Meta fails": refuse(500, 131_000),
    "Meta fails with a code that is not known": refuse(503, 999_999),
    "Meta is overloaded and gives no code": bare(503),
    "a proxy on the way fails": bare(502),
    "a proxy on the way waited too long": bare(408),
    "it is redirected": ({ response }) => response.writeHead(307, { location: "/" }).end()
  }
  for (const [what, fault] of Object.entries(doubtful)) {
    it.scopedLive(`is in doubt when ${what}, and is not sent again`, () =>
      Effect.gen(function* () {
        const rig = yield* sender()
        yield* rig.sender.send(messageRequest("att_0", to))
        const { sender: hasty } = yield* sender({ url: rig.meta.url, timeout: "300 millis" })
        rig.meta.next(fault)
        const request = messageRequest("att_1", to)
        const timed = what.includes("in time")
        assert.strictEqual(yield* tagOf(request, timed ? { ...rig, sender: hasty } : rig), "DialInDoubt")
        assert.strictEqual(posted(rig).length, 2)
      })
    )
  }

  for (const [status, code, outcome, sub_status] of [
    [400, 100, "failed", "carrier_error"],
    [400, 130_472, "failed", "destination_blocked"],
    [400, 130_497, "failed", "destination_blocked"],
    [400, 131_008, "failed", "carrier_error"],
    [400, 131_009, "failed", "carrier_error"],
    [400, 131_021, "failed", "invalid_number"],
    [400, 131_026, "failed", "invalid_number"],
    [400, 131_030, "failed", "destination_blocked"],
    [400, 131_047, "failed", "carrier_error"],
    [400, 131_049, "failed", "carrier_error"],
    [400, 131_050, "rejected", "do_not_call"],
    [500, 131_026, "failed", "invalid_number"],
    [503, 131_050, "rejected", "do_not_call"],
    [408, 132_001, "failed", "template_not_approved"],
    [400, 132_000, "failed", "carrier_error"],
    [404, 132_001, "failed", "template_not_approved"],
    [400, 132_005, "failed", "carrier_error"],
    [400, 132_007, "failed", "template_not_approved"],
    [400, 132_012, "failed", "carrier_error"],
    [400, 132_015, "failed", "template_not_approved"],
    [400, 132_016, "failed", "template_not_approved"],
    [400, 999_999, "failed", "carrier_error"]
  ] as const) {
    it.scopedLive(`is refused for good by ${code}: ${sub_status}`, () =>
      Effect.gen(function* () {
        const rig = yield* sender()
        rig.meta.next(refuse(status, code))
        const refusal = yield* Effect.flip(rig.sender.send(messageRequest("att_1", to)))
        assert.strictEqual(refusal._tag, "DialRefused")
        if (refusal._tag !== "DialRefused") return
        assert.deepStrictEqual(
          [refusal.outcome, refusal.sub_status, refusal.code],
          [outcome, sub_status, String(code)]
        )
        assert.notInclude(refusal.message, to)
        assert.notInclude(refusal.message, token)
        assert.strictEqual(posted(rig).length, 1)
      })
    )
  }

  for (const [status, code] of [
    [401, 190],
    [400, 190],
    [401, 0],
    [403, 10],
    [403, 200],
    [403, 299],
    [403, 368],
    [403, 131_005],
    [403, 131_031],
    [400, 131_042],
    [400, 133_010],
    [403, 999_999],
    [500, 190],
    [503, 131_042]
  ] as const) {
    it.scopedLive(
      `is not at fault when ${status} with ${code} says that the account is, and may go again`,
      () =>
        Effect.gen(function* () {
          const logged: Array<string> = []
          const logger = Logger.replace(
            Logger.defaultLogger,
            Logger.make(({ message }) => void logged.push(String(message)))
          )
          const rig = yield* sender()
          rig.meta.next(refuse(status, code))
          const request = messageRequest("att_1", to)
          const failed = yield* Effect.flip(rig.sender.send(request)).pipe(Effect.provide(logger))
          assert.strictEqual(failed._tag, "CarrierUnreachable")
          assert.isNotEmpty(logged)
          for (const text of [failed.message, ...logged]) {
            assert.notInclude(text, token)
            assert.notInclude(text, to)
            assert.notInclude(text, from_number)
          }
          assert.strictEqual(yield* tagOf(request, rig), "Taken")
        })
    )
  }

  for (const [status, code] of [
    [429, 130_429],
    [400, 80_007],
    [400, 131_048],
    [503, 2],
    [500, 4],
    [400, 131_056]
  ] as const) {
    it.scopedLive(`waits and goes again when ${status} with ${code} asks to slow down`, () =>
      Effect.gen(function* () {
        const rig = yield* sender()
        rig.meta.next(refuse(status, code))
        const [taken, tag] = yield* Effect.timed(tagOf(messageRequest("att_1", to), rig))
        assert.strictEqual(tag, "Taken")
        assert.isAtLeast(Duration.toMillis(taken), 500)
        assert.strictEqual(posted(rig).length, 2)
      })
    )
  }

  it.scopedLive("waits alone when its recipient has had too many messages", () =>
    Effect.gen(function* () {
      const rig = yield* sender()
      rig.meta.next(refuse(400, 131_056))
      const waiting = yield* Effect.fork(tagOf(messageRequest("att_1", to), rig))
      yield* Effect.iterate(0, {
        while: (count) => count === 0,
        body: () =>
          Effect.delay(
            Effect.sync(() => posted(rig).length),
            "5 millis"
          )
      })
      assert.strictEqual(yield* tagOf(messageRequest("att_2", to), rig), "Taken")
      assert.strictEqual(yield* waiting, "Taken")
      assert.deepStrictEqual(
        posted(rig).map(({ body }) => String(body["biz_opaque_callback_data"]).split("/")[1]),
        ["att_1", "att_2", "att_1"]
      )
    })
  )

  it.scopedLive("is unreachable when slowing down would take too long", () =>
    Effect.gen(function* () {
      const rig = yield* sender({ timeout: "900 millis" })
      rig.meta.next(refuse(429, 130_429))
      const request = messageRequest("att_1", to)
      assert.strictEqual(yield* tagOf(request, rig), "CarrierUnreachable")
      assert.strictEqual(posted(rig).length, 1)
    })
  )

  it.scopedLive("is not sent while the account cannot be asked for its numbers", () =>
    Effect.gen(function* () {
      const rig = yield* sender()
      const away = (asked: Parameters<Fault>[0]) => {
        if (!asked.path.endsWith("/phone_numbers")) return false
        failure(asked, 500, 1)
        return true
      }
      rig.meta.others.push(away)
      const request = messageRequest("att_1", to)
      assert.strictEqual(yield* tagOf(request, rig), "CarrierUnreachable")
      rig.meta.others.length = 0
      assert.strictEqual(yield* tagOf(request, rig), "Taken")
    })
  )
})
