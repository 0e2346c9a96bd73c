import { Deferred, Effect, Queue, type Scope } from "effect"
import { getExpectedTwilioSignature } from "twilio/lib/webhooks/webhooks.js"
import { WebSocket } from "ws"
import { authToken, type StoredCall } from "./TwilioServer.ts"

const unescaped = (text: string) =>
  text.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&amp;", "&")

const attribute = (document: string, element: string, name: string): string => {
  const found = new RegExp(`<${element}[^>]* ${name}="([^"]*)"`).exec(document)
  if (found === null) throw new Error(`no ${name} of ${element} in ${document}`)
  return unescaped(found[1]!)
}

export interface Said {
  readonly text: string
  readonly preemptible: boolean
}

/** Twilio's side of one session of ConversationRelay, played by a test. */
export interface Relay {
  readonly url: string
  readonly send: (frame: object | string) => Effect.Effect<void>
  /** Is told once our server has read all that was sent so far. */
  readonly whenRead: (told: () => void) => void
  /** The next whole utterance of the agent. It is not played by itself. */
  readonly said: Effect.Effect<string>
  /** Plays an utterance to its end, clause by clause. */
  readonly play: (text: string) => Effect.Effect<void>
  /** The callee says something, understood bit by bit. */
  readonly say: (text: string) => Effect.Effect<void>
  /** The text that our end carries. Twilio closes the socket then. */
  readonly ended: Effect.Effect<string>
  readonly closed: Effect.Effect<number>
  readonly hangUp: Effect.Effect<void>
  readonly drop: Effect.Effect<void>
  /** What our server answers when it is asked what comes after the session. */
  readonly after: (fields: Readonly<Record<string, string>>) => Effect.Effect<string>
  /** Where it is asked that, and what is told of the call besides. */
  readonly action: { readonly url: string; readonly fields: Readonly<Record<string, string>> }
}

export interface Options {
  /** Of the request for the socket; by default Twilio's signature. */
  readonly headers?: (url: string) => Readonly<Record<string, string>>
  /** `IN_PROGRESS` when the call was talked on before. */
  readonly callStatus?: "RINGING" | "IN_PROGRESS"
  /** Where a public address is reached. */
  readonly reach?: (url: string) => string
}

export const signed = (url: string) => ({
  "x-twilio-signature": getExpectedTwilioSignature(authToken, url, {})
})

const info = (name: string, value: string) => ({ type: "info", name, value })

/** Sends a callback as Twilio does, which signs the public address. Fails when there is no answer. */
export const post = (
  url: string,
  fields: Readonly<Record<string, string>>,
  reach: (url: string) => string = (own) => own
) =>
  Effect.tryPromise(async (signal) => {
    const address = url.replace(/#.*$/, "")
    const response = await fetch(reach(address), {
      method: "POST",
      signal,
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        "x-twilio-signature": getExpectedTwilioSignature(authToken, address, fields)
      },
      body: new URLSearchParams(fields)
    })
    return { status: response.status, text: await response.text() }
  })

/** Does what a TwiML says: connects the relay of a call to its socket. Fails with the status of a refusal; 0 is none. */
export const connect = Effect.fnUntraced(function* (
  twiml: string,
  { form, sid }: Pick<StoredCall, "form" | "sid">,
  { callStatus = "RINGING", headers = signed, reach = (url) => url }: Options = {}
): Effect.fn.Return<Relay, number, Scope.Scope> {
  const url = attribute(twiml, "ConversationRelay", "url")
  const action = attribute(twiml, "Connect", "action")
  const socket = new WebSocket(reach(url), { headers: headers(url) })
  const opened = yield* Deferred.make<void, number>()
  const closed = yield* Deferred.make<number>()
  const ended = yield* Deferred.make<string>()
  const utterances = yield* Queue.unbounded<string>()
  let utterance = ""
  socket.on("open", () => Deferred.unsafeDone(opened, Effect.void))
  socket.on("unexpected-response", (_, response) =>
    Deferred.unsafeDone(opened, Effect.fail(response.statusCode ?? 0))
  )
  socket.on("error", () => Deferred.unsafeDone(opened, Effect.fail(0)))
  socket.on("close", (code) => Deferred.unsafeDone(closed, Effect.succeed(code)))
  socket.on("message", (data) => {
    const frame = JSON.parse(String(data))
    if (frame.type === "end") {
      Deferred.unsafeDone(ended, Effect.succeed(frame.handoffData))
      socket.close(1_000)
    }
    if (frame.type !== "text") return
    utterance += frame.token
    if (!frame.last) return
    utterances.unsafeOffer(utterance)
    utterance = ""
  })
  const unread: Array<() => void> = []
  socket.on("pong", () => unread.shift()?.())
  yield* Effect.addFinalizer(() => Effect.sync(() => socket.terminate()))
  yield* Deferred.await(opened)

  const send = (frame: object | string) =>
    Effect.sync(() => socket.send(typeof frame === "string" ? frame : JSON.stringify(frame)))
  yield* send({
    type: "setup",
    sessionId: "VX0123456789abcdef",
    accountSid: form.get("AccountSid") ?? "AC1",
    parentCallSid: "",
    callSid: sid,
    from: form.get("From"),
    to: form.get("To"),
    direction: "outbound-api",
    callType: "PSTN",
    callStatus,
    customParameters: {}
  })
  const fields = {
    AccountSid: "AC1",
    CallSid: sid,
    From: form.get("From")!,
    To: form.get("To")!,
    CallStatus: "in-progress",
    SessionId: "VX0123456789abcdef"
  }

  return {
    url,
    send,
    whenRead: (told) => {
      if (socket.readyState !== socket.OPEN) return
      unread.push(told)
      socket.ping()
    },
    said: utterances.take,
    play: Effect.fnUntraced(function* (text) {
      yield* send(info("agentSpeaking", "on"))
      for (const clause of text.split(/(?<=[,.:!?])/)) yield* send(info("tokensPlayed", clause))
      yield* send(info("agentSpeaking", "off"))
    }),
    say: Effect.fnUntraced(function* (text) {
      const prompt = (voicePrompt: string, last: boolean) => ({
        type: "prompt",
        voicePrompt,
        lang: "en-US",
        last
      })
      yield* send(info("clientSpeaking", "on"))
      yield* send(prompt(text.split(" ")[0]!, false))
      yield* send(prompt(text, false))
      yield* send(info("clientSpeaking", "off"))
      yield* send(prompt(text, true))
    }),
    ended: Deferred.await(ended),
    closed: Deferred.await(closed),
    hangUp: Effect.sync(() => socket.close(1_000)),
    drop: Effect.sync(() => socket.terminate()),
    after: (more) =>
      Effect.map(Effect.orDie(post(action, { ...fields, ...more }, reach)), ({ text }) => text),
    action: { url: action, fields }
  }
})
