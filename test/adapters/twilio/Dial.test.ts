import { Context, Duration, Effect, Layer, Logger, Queue, Redacted, Tracer } from "effect"
import { assert, describe, it } from "@effect/vitest"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { OpenSockets } from "../../../adapters/shared/OpenSockets.ts"
import type { DialRequest } from "../../../core/model/calls/DialRequest.ts"
import { dialRequest, referTo } from "../../contracts/CallDialer.ts"
import { json } from "../../Listener.ts"
import { dialer } from "./Rig.ts"
import { accountSid, authToken, failure, type Fault } from "./TwilioServer.ts"

const to = "+15550001234"
const tagOf = (request: DialRequest) => (context: Effect.Effect.Success<ReturnType<typeof dialer>>) =>
  Effect.match(context.dialer.dial(request), {
    onSuccess: () => "Accepted",
    onFailure: ({ _tag }) => _tag
  })

const refuse =
  (status: number, code: number, headers = {}): Fault =>
  (asked) =>
    failure(asked, status, code, headers)
const bare =
  (status: number, body = ""): Fault =>
  ({ response }) =>
    response.writeHead(status).end(body)

const posted = (twilio: {
  readonly asked: ReadonlyArray<{ readonly method: string; readonly path: string }>
}) => twilio.asked.filter(({ method, path }) => method === "POST" && path.endsWith("/Calls.json")).length

describe("a dial at Twilio", () => {
  it.scopedLive("asks for the call with the conversation's TwiML, callbacks and limits", () =>
    Effect.gen(function* () {
      const { dialer: carrier, twilio } = yield* dialer()
      const sid = yield* carrier.dial(dialRequest("att_1", to, { max_call_length: 600 }))
      const [{ body: form, headers, path }] = twilio.asked as [(typeof twilio.asked)[number]]
      assert.strictEqual(path, `/2010-04-01/Accounts/${accountSid}/Calls.json`)
      assert.strictEqual(
        headers.authorization,
        `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString("base64")}`
      )
      const fields = Object.fromEntries(form)
      assert.deepInclude(fields, {
        To: to,
        From: "+15557654321",
        Timeout: "60",
        TimeLimit: "600",
        StatusCallbackMethod: "POST",
        Record: "true",
        RecordingChannels: "dual",
        MachineDetection: "Enable"
      })
      assert.deepStrictEqual(form.getAll("StatusCallbackEvent"), [
        "initiated",
        "ringing",
        "answered",
        "completed"
      ])
      const status = new URL(form.get("StatusCallback")!)
      assert.strictEqual(status.pathname, "/nothing/callbacks/twilio/status")
      assert.strictEqual(status.searchParams.get("workspace_id"), "ws_1")
      assert.strictEqual(status.searchParams.get("attempt_id"), "att_1")
      assert.strictEqual(
        new URL(form.get("RecordingStatusCallback")!).pathname,
        "/nothing/callbacks/twilio/recording"
      )
      assert.include(form.get("Twiml"), '<ConversationRelay url="wss://conversation.example/relay"')
      assert.include(form.get("Twiml"), '<Parameter name="prompt" value="You are a friendly caller."/>')
      assert.isTrue(twilio.calls.has(sid))
    })
  )

  it.scopedLive("neither records nor looks for machines unless it is to", () =>
    Effect.gen(function* () {
      const { dialer: carrier, twilio } = yield* dialer({ record: false, machineDetection: false })
      yield* carrier.dial(dialRequest("att_1", to))
      const names = new Set(twilio.asked[0]!.body.keys())
      for (const name of ["Record", "RecordingStatusCallback", "MachineDetection"]) {
        assert.isFalse(names.has(name), name)
      }
    })
  )

  const here = { conversationUrl: null } as const
  const leaving = { action: "leave_message", message: "Call us back." } as const

  it.scopedLive("connects to a conversation that is held here, and has machines detected meanwhile", () =>
    Effect.gen(function* () {
      const { dialer: carrier, twilio } = yield* dialer(here)
      const request = dialRequest("att_1", to)
      yield* carrier.dial(request)
      yield* carrier.dial({ ...request, key: "att_2", agent: { ...request.agent, voicemail: leaving } })
      const [first, second] = twilio.asked.map(({ body }) => body)
      const twiml = first!.get("Twiml")!
      assert.match(
        twiml,
        /<ConversationRelay url="ws:\/\/127\.0\.0\.1:9\/nothing\/callbacks\/twilio\/conversation\/[^"/]+"/
      )
      assert.match(
        twiml,
        /<Connect action="http:\/\/127\.0\.0\.1:9\/nothing\/callbacks\/twilio\/after\?[^"]*session_id=sess_of_att_1/
      )
      assert.notInclude(twiml, "You are a friendly caller.")
      assert.deepInclude(Object.fromEntries(first!), {
        MachineDetection: "Enable",
        AsyncAmd: "true",
        AsyncAmdStatusCallbackMethod: "POST"
      })
      const told = new URL(first!.get("AsyncAmdStatusCallback")!)
      assert.strictEqual(told.pathname, "/nothing/callbacks/twilio/detection")
      assert.strictEqual(told.searchParams.get("session_id"), "sess_of_att_1")
      assert.strictEqual(second!.get("MachineDetection"), "DetectMessageEnd")
    })
  )

  it.scopedLive("waits while all sockets are taken, and keeps a place for each call that it dials", () =>
    Effect.gen(function* () {
      const sockets = Context.get(yield* Layer.build(OpenSockets.layer(2)), OpenSockets)
      const { dialer: carrier, twilio } = yield* dialer({ ...here, sockets })
      twilio.next(refuse(400, 21_211))
      yield* Effect.flip(carrier.dial(dialRequest("att_0", to)))
      yield* carrier.dial(dialRequest("att_1", to))
      assert.isTrue(yield* carrier.available)
      yield* carrier.dial(dialRequest("att_2", to))
      assert.isFalse(yield* carrier.available)
      assert.strictEqual(
        (yield* Effect.flip(carrier.dial(dialRequest("att_3", to))))._tag,
        "CarrierUnreachable"
      )
      assert.strictEqual(posted(twilio), 3)
      assert.isTrue(sockets.open("sess_of_att_1"))
      assert.isFalse(sockets.open("sess_of_another"))
      sockets.closed()
      yield* carrier.awaitAvailable
      yield* carrier.dial(dialRequest("att_3", to))
    })
  )

  it.scopedLive("keeps below the path of its address, as compatible providers have one", () =>
    Effect.gen(function* () {
      const { twilio } = yield* dialer()
      const { dialer: carrier } = yield* dialer({ url: `${twilio.url}/api/laml/` })
      yield* Effect.exit(carrier.dial(dialRequest("att_1", to)))
      assert.strictEqual(twilio.asked[0]!.path, `/api/laml/2010-04-01/Accounts/${accountSid}/Calls.json`)
    })
  )

  it.scopedLive("is unreachable when the connection is refused or the name has no address", () =>
    Effect.gen(function* () {
      const port = yield* Effect.scoped(Effect.map(dialer(), ({ twilio }) => twilio.port))
      for (const host of ["127.0.0.1", "localhost"]) {
        const gone = yield* dialer({ url: `http://${host}:${port}` })
        assert.strictEqual(yield* tagOf(dialRequest("att_1", to))(gone), "CarrierUnreachable", host)
      }
      const nameless = yield* dialer({ url: "http://carrier.invalid" })
      assert.strictEqual(yield* tagOf(dialRequest("att_1", to))(nameless), "CarrierUnreachable")
    })
  )

  const doubtful: Readonly<Record<string, Fault>> = {
    "there is no answer in time": () => {},
    "the connection is dropped before the answer": ({ response }) => response.destroy(),
    "the connection is dropped although the call was taken": ({ response }, take) => {
      take()
      response.destroy()
    },
    "the answer breaks off half way": ({ response }, take) => {
      response.writeHead(201, { "content-length": 1_000 })
      response.write(`{"sid":"${take().sid}"`, () => response.destroy())
    },
    "the answer drips in and does not end in time": ({ response }, take) => {
      response.writeHead(201)
      response.write(`{"sid":"${take().sid}"`)
    },
    "the answer is not JSON": bare(201, "<html>"),
    "the answer names no call": bare(201, "{}"),
    "the server fails": bare(500),
    "the server fails in Twilio's words": refuse(500, 20_500),
    "a proxy fails": bare(502),
    "the service is unavailable": refuse(503, 20_503),
    "a proxy gave up waiting": bare(408),
    "it is sent elsewhere": ({ response }) =>
      response.writeHead(307, { location: "http://127.0.0.1:9/" }).end()
  }
  for (const [what, fault] of Object.entries(doubtful)) {
    it.scopedLive(`is in doubt when ${what}, and is sent once`, () =>
      Effect.gen(function* () {
        const rig = yield* dialer({ timeout: "300 millis" })
        rig.twilio.next(fault)
        assert.strictEqual(yield* tagOf(dialRequest("att_1", to))(rig), "DialInDoubt")
        assert.strictEqual(posted(rig.twilio), 1)
      })
    )
  }

  it.scopedLive("is refused for good by Twilio's codes, each in its own sense", () =>
    Effect.gen(function* () {
      const { dialer: carrier, twilio } = yield* dialer()
      for (const [code, outcome, sub_status] of [
        [21_211, "failed", "invalid_number"],
        [21_214, "failed", "invalid_number"],
        [21_217, "failed", "invalid_number"],
        [21_401, "failed", "invalid_number"],
        [21_421, "failed", "invalid_number"],
        [13_224, "failed", "invalid_number"],
        [21_210, "failed", "phone_number_not_found"],
        [21_212, "failed", "phone_number_not_found"],
        [21_213, "failed", "phone_number_not_found"],
        [21_215, "failed", "destination_blocked"],
        [21_216, "failed", "destination_blocked"],
        [21_219, "failed", "destination_blocked"],
        [13_227, "failed", "destination_blocked"],
        [32_205, "failed", "destination_blocked"],
        [21_610, "failed", "do_not_call"],
        [21_999, "failed", "carrier_error"]
      ] as const) {
        twilio.next(refuse(400, code))
        const refusal = yield* Effect.flip(carrier.dial(dialRequest("att_1", to)))
        assert.deepInclude({ ...refusal }, { _tag: "DialRefused", outcome, sub_status, code: String(code) })
        assert.notMatch(refusal.message, /\d/)
        assert.isTrue(
          refusal._tag === "DialRefused" && /^refused \+\*+\d{4}$/.test(refusal.carrier_message ?? "")
        )
      }
      twilio.next(refuse(503, 21_211))
      const withServerError = yield* Effect.flip(carrier.dial(dialRequest("att_1", to)))
      assert.deepInclude({ ...withServerError }, { _tag: "DialRefused", sub_status: "invalid_number" })
      twilio.next(bare(422, "no"))
      const plain = yield* Effect.flip(carrier.dial(dialRequest("att_1", to)))
      assert.deepInclude({ ...plain }, { _tag: "DialRefused", sub_status: "carrier_error", code: "http_422" })
    })
  )

  it.scopedLive("may be sent again when the account is turned away: the callee is not at fault", () =>
    Effect.gen(function* () {
      const faults = [
        refuse(401, 20_003),
        refuse(403, 20_003),
        refuse(403, 20_005),
        refuse(401, 10_001),
        refuse(404, 20_404),
        refuse(400, 21_205),
        refuse(400, 21_609),
        refuse(500, 20_005),
        bare(401),
        bare(403),
        bare(404)
      ]
      for (const fault of faults) {
        const rig = yield* dialer()
        rig.twilio.next(fault)
        assert.strictEqual(yield* tagOf(dialRequest("att_1", to))(rig), "CarrierUnreachable")
        assert.strictEqual(rig.twilio.calls.size, 0)
      }
    })
  )

  it.scopedLive("with credentials that are refused, the circuit opens and stays open", () =>
    Effect.gen(function* () {
      const rig = yield* dialer({
        password: Redacted.make("another"),
        circuit: { tries: 1, probeAfter: "10 millis", probeAtMost: "10 millis" }
      })
      for (let i = 0; i < 5; i++) yield* tagOf(dialRequest(`att_${i}`, to))(rig)
      assert.isFalse(yield* rig.dialer.available)
      const probed = yield* Queue.unbounded<void>()
      rig.twilio.others.push(() => {
        probed.unsafeOffer()
        return false
      })
      yield* Queue.takeN(probed, 3)
      assert.isFalse(yield* rig.dialer.available)
    })
  )

  it.scopedLive("is sent again after the time that a 429 asks for, and is made once", () =>
    Effect.gen(function* () {
      const { dialer: carrier, twilio } = yield* dialer()
      const began = Date.now()
      twilio.next(refuse(429, 20_429, { "retry-after": "1" }), refuse(429, 20_429))
      const sid = yield* carrier.dial(dialRequest("att_1", to))
      assert.isAtLeast(Date.now() - began, 1_000)
      assert.deepStrictEqual([...twilio.calls.keys()], [sid])
      assert.strictEqual(posted(twilio), 3)
    })
  )

  it.scopedLive(
    "goes back at once while a 429 asks for more time than a dial has, and nothing is asked",
    () =>
      Effect.gen(function* () {
        const rig = yield* dialer()
        rig.twilio.next(refuse(429, 20_429, { "retry-after": "60" }))
        for (let i = 0; i < 3; i++) {
          assert.strictEqual(yield* tagOf(dialRequest(`att_${i}`, to))(rig), "CarrierUnreachable")
        }
        assert.strictEqual(posted(rig.twilio), 1)
      })
  )

  it.scopedLive("uses an API key where there is one", () =>
    Effect.gen(function* () {
      const { dialer: carrier, twilio } = yield* dialer({
        username: "SK1",
        password: Redacted.make("secret of the key")
      })
      yield* Effect.exit(carrier.dial(dialRequest("att_1", to)))
      assert.strictEqual(
        twilio.asked[0]!.headers.authorization,
        `Basic ${Buffer.from("SK1:secret of the key").toString("base64")}`
      )
    })
  )

  it.scopedLive("lets nothing personal and nothing secret into an error, a log line or a span", () =>
    Effect.gen(function* () {
      const lines: Array<string> = []
      const logger = Logger.make<unknown, void>(({ cause, message }) => {
        lines.push(String(message), JSON.stringify(cause))
      })
      const spans: Array<Tracer.Span> = []
      const native = yield* Effect.tracer
      const tracer = Tracer.make({
        context: native.context,
        span: (...args) => {
          const span = native.span(...args)
          spans.push(span)
          return span
        }
      })
      const rig = yield* dialer({ timeout: "300 millis", circuit: { threshold: 1_000, tries: 1 } })
      const faults = [
        ...Object.values(doubtful),
        refuse(400, 21_211),
        refuse(401, 20_003),
        refuse(429, 20_429, { "retry-after": "0" })
      ]
      const request = dialRequest("att_1", to)
      const kept = <A, E>(effect: Effect.Effect<A, E>) =>
        Effect.exit(effect).pipe(
          Effect.tap((exit) => Effect.sync(() => lines.push(JSON.stringify(exit), String(exit)))),
          Effect.withTracer(tracer),
          Effect.provide(Logger.replace(Logger.defaultLogger, logger))
        )
      for (const fault of faults) {
        rig.twilio.next(fault)
        yield* kept(rig.dialer.dial(request))
      }
      rig.twilio.others.push((asked) => {
        json(asked, 418, {})
        return true
      })
      yield* kept(rig.dialer.lookup(referTo("att_1", { to_number: to })))
      yield* kept(rig.dialer.hangUp(referTo("att_1", { to_number: to })))
      assert.isAtLeast(spans.length, faults.length)
      for (const { attributes, name } of spans) lines.push(name, JSON.stringify([...attributes]))
      const told = lines.join("\n")
      for (const secret of [
        to,
        to.slice(1),
        request.from_number,
        authToken,
        request.agent.prompt,
        accountSid
      ]) {
        assert.notInclude(told, secret)
      }
    })
  )

  it.scopedLive("takes no longer than its time-out, however often it has to wait", () =>
    Effect.gen(function* () {
      const rig = yield* dialer({ timeout: "2 seconds" })
      const [taken, answer] = yield* Effect.gen(function* () {
        rig.twilio.next(refuse(429, 20_429), () => {})
        return yield* tagOf(dialRequest("att_1", to))(rig)
      }).pipe(Effect.timed)
      assert.strictEqual(answer, "DialInDoubt")
      assert.isBelow(Duration.toMillis(taken), 2_500)
    })
  )

  it.scopedLive("is in doubt, not unreachable, when its connection is cut as soon as it is made", () =>
    Effect.gen(function* () {
      const server = createServer()
      server.on("connection", (socket) => socket.destroy())
      yield* Effect.acquireRelease(
        Effect.async<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
        () => Effect.sync(() => server.close())
      )
      const { port } = server.address() as AddressInfo
      const rig = yield* dialer({ url: `http://127.0.0.1:${port}` })
      assert.strictEqual(yield* tagOf(dialRequest("att_1", to))(rig), "DialInDoubt")
    })
  )
})
