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
}

export const signed = (url: string) => ({
  "x-twilio-signature": getExpectedTwilioSignature(authToken, url, {})
})

const info = (name: string, value: string) => ({ type: "info", name, value })

/** Does what a TwiML says: connects the relay of a call to its socket. Fails with the status of a refusal. */
export const connect = Effect.fnUntraced(function* (
  twiml: string,
  { form, sid }: Pick<StoredCall, "form" | "sid">,
  headers: (url: string) => Readonly<Record<string, string>> = signed,
  callStatus = "RINGING"
): Effect.fn.Return<Relay, number, Scope.Scope> {
  const url = attribute(twiml, "ConversationRelay", "url")
  const action = attribute(twiml, "Connect", "action")
  const socket = new WebSocket(url, { headers: headers(url) })
  const opened = yield* Deferred.make<void, number>()
  const closed = yield* Deferred.make<number>()
  const ended = yield* Deferred.make<string>()
  const utterances = yield* Queue.unbounded<string>()
  let utterance = ""
  socket.on("open", () => Deferred.unsafeDone(opened, Effect.void))
  socket.on("unexpected-response", (_, response) =>
    Deferred.unsafeDone(opened, Effect.fail(response.statusCode ?? 0))
  )
  socket.on("error", () => {})
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
  const fields = { AccountSid: "AC1", CallSid: sid, From: form.get("From")!, To: form.get("To")! }

  return {
    url,
    send,
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
      Effect.promise(async () => {
        const sent = { ...fields, CallStatus: "in-progress", SessionId: "VX0123456789abcdef", ...more }
        const address = action.replace(/#.*$/, "")
        const response = await fetch(address, {
          method: "POST",
          headers: {
            "content-type": "application/x-www-form-urlencoded",
            "x-twilio-signature": getExpectedTwilioSignature(authToken, address, sent)
          },
          body: new URLSearchParams(sent)
        })
        return response.text()
      })
  }
})
