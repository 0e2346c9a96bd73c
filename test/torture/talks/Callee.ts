import { Effect, Option } from "effect"
import * as RelayStand from "../../adapters/twilio/RelayStand.ts"
import type { StoredCall } from "../../adapters/twilio/TwilioServer.ts"
import { answerTo, type Line, textOf } from "./Mind.ts"
import type { Servers } from "./Servers.ts"

/** A piece of speech that was heard on the line. */
export interface Spoken {
  /** When our server had read of it; Infinity if it never did. */
  at: number
  readonly by: "agent" | "callee"
  readonly text: string
}

/** A call as Twilio's side and its callee have it. */
export interface Talked {
  readonly call_id: string
  readonly session_id: string
  readonly lines: ReadonlyArray<Line>
  readonly spoken: Array<Spoken>
  /** When its connection broke. */
  readonly drops: Array<number>
  /** Lines whose answer was heard to its end. */
  answered: number
  /** How it ended: null while it has not, or when it did not go on. */
  ended: { readonly by: "agent" | "callee"; readonly at: number } | null
  /** Why it did not go on. */
  failed: string | null
}

export interface Placed {
  readonly call: StoredCall
  readonly call_id: string
  readonly session_id: string
}

/** How a call is talked. Times are milliseconds. */
export interface Manner {
  readonly lines: ReadonlyArray<Line>
  /** How long a clause takes to be said. */
  readonly clause: number
  /** How long the callee waits for an answer before it says its line again. */
  readonly patience: number
  /** How long Twilio takes from a broken connection to its question what comes next. */
  readonly again: number
  readonly hangsUp: boolean
}

/** How one connection came to its end. */
type Left = "dropped" | "hung up" | { readonly token: string }

const info = (name: string, value: string) => ({ type: "info", name, value })
const clauses = (text: string) => text.split(/(?<=[,.:!?])/).filter((clause) => clause.trim() !== "")

/** Why a talk did not go on after its connection broke. */
export const notConnected = "not connected again"

/** The longest that a call is talked, however busy the machine is. */
const longest = "10 minutes"

/** More repetitions than any outage needs. */
const mostRepeats = 12

/** Plays a call to its end over one connection after the other: what was heard of it, and how it ended. */
export const talk = Effect.fnUntraced(function* (
  servers: Servers,
  { call, call_id, session_id }: Placed,
  manner: Manner,
  /** Is told of each process that a connection reaches. */
  connected: (member: number) => void = () => undefined,
  first = 0
) {
  const { again, clause, hangsUp, lines, patience } = manner
  const talked: Talked = {
    call_id,
    session_id,
    lines,
    spoken: [],
    drops: [],
    answered: 0,
    ended: null,
    failed: null
  }
  let asked = 0
  let repeats = 0

  const note = (relay: RelayStand.Relay, by: Spoken["by"], text: string) => {
    const piece: Spoken = { at: Infinity, by, text }
    talked.spoken.push(piece)
    relay.whenRead(() => {
      piece.at = Date.now()
    })
  }

  const hear = Effect.fnUntraced(function* (relay: RelayStand.Relay, text: string) {
    yield* relay.send(info("agentSpeaking", "on"))
    for (const piece of clauses(text)) {
      yield* Effect.sleep(clause)
      yield* relay.send(info("tokensPlayed", piece))
      note(relay, "agent", piece)
    }
    yield* relay.send(info("agentSpeaking", "off"))
    const line = lines[talked.answered]
    if (line !== undefined && asked > talked.answered && text.includes(answerTo(line))) talked.answered += 1
  })

  const say = Effect.fnUntraced(function* (relay: RelayStand.Relay, line: Line) {
    yield* Effect.sleep(clause)
    yield* relay.say(textOf(line))
    note(relay, "callee", textOf(line))
    asked = talked.answered + 1
  })

  /** Talks until all is answered: asks, listens, and asks again when no answer comes. */
  const conversation = (relay: RelayStand.Relay) =>
    Effect.gen(function* () {
      for (;;) {
        const told = yield* Effect.timeoutOption(relay.said, patience)
        if (told._tag === "Some") yield* hear(relay, told.value)
        const line = lines[talked.answered]
        if (line === undefined) break
        const isAnswerDue = asked > talked.answered
        if (isAnswerDue && told._tag === "Some") continue
        if (isAnswerDue && ++repeats > mostRepeats) {
          talked.failed = "no answer comes"
          break
        }
        yield* say(relay, line)
      }
      if (hangsUp || talked.failed !== null) {
        talked.ended = { by: "callee", at: Date.now() }
        yield* relay.hangUp
        return "hung up" as const
      }
      return { token: yield* relay.ended }
    })

  /** The connection breaks, or is closed by the end that the agent has asked for. */
  const closed = (relay: RelayStand.Relay) =>
    Effect.gen(function* () {
      yield* relay.closed
      const at = Date.now()
      const ended = yield* Effect.timeoutOption(relay.ended, "20 millis")
      if (ended._tag === "Some") return { token: ended.value }
      talked.drops.push(at)
      return "dropped" as const
    })

  const overOne = (twiml: string) =>
    Effect.scoped(
      Effect.gen(function* () {
        const { member, relay } = yield* servers.anyMember(first, (port, member) =>
          Effect.map(
            RelayStand.connect(twiml, call, {
              reach: servers.reach(port),
              callStatus: talked.drops.length === 0 ? "RINGING" : "IN_PROGRESS"
            }),
            (relay) => ({ member, relay })
          )
        )
        connected(member)
        const left: Left = yield* Effect.raceFirst(conversation(relay), closed(relay))
        return { action: relay.action, left }
      })
    )

  /** A callback, sent again until a process answers it. */
  const tell = (url: string, fields: Readonly<Record<string, string>>) =>
    servers.anyMember(first, (port) =>
      Effect.filterOrFail(
        RelayStand.post(url, { ...fields }, servers.reach(port)),
        ({ status }) => status < 500
      )
    )

  const status = (CallStatus: string, more: Readonly<Record<string, string>> = {}) =>
    tell(call.form.get("StatusCallback")!, {
      CallSid: call.sid,
      AccountSid: "AC1",
      From: call.form.get("From")!,
      To: call.form.get("To")!,
      CallStatus,
      ...more
    })

  const fieldsOf = (left: Left): Readonly<Record<string, string>> => {
    if (left === "hung up") return { SessionStatus: "completed", CallStatus: "completed" }
    if (left === "dropped") return { SessionStatus: "failed", ErrorCode: "64105" }
    return { SessionStatus: "ended", HandoffData: left.token }
  }

  /** Over one connection after the other. */
  const play = Effect.fnUntraced(function* () {
    for (let twiml = call.form.get("Twiml")!; ;) {
      const { action, left } = yield* overOne(twiml)
      if (left === "dropped") yield* Effect.sleep(again)
      else if (left !== "hung up") talked.ended = { by: "agent", at: Date.now() }
      const { text } = yield* tell(action.url, { ...action.fields, ...fieldsOf(left) })
      if (left === "hung up") break
      if (!text.includes("<Connect")) {
        // The agent was saying its last line when its process died: the call ends without the rest of it.
        if (left === "dropped" && asked === lines.length && lines.at(-1)?.kind === "Close") {
          talked.answered = lines.length
          talked.ended = { by: "agent", at: talked.drops.at(-1)! }
        } else if (left === "dropped") talked.failed = `${notConnected}: ${text}`
        break
      }
      if (left !== "dropped") talked.failed = "connected again after its end"
      twiml = text
    }
  })

  yield* status("in-progress")
  if (Option.isNone(yield* Effect.timeoutOption(play(), longest))) {
    talked.failed = `no end comes: ${talked.answered} of ${lines.length} lines are answered`
  }
  yield* status("completed", { CallDuration: "1" })
  return talked
})
