import { Clock, Effect, Option, Redacted } from "effect"
import { CarrierReports } from "../../core/engine/CarrierReports.ts"
import { type AfterLine, ConversationRunner } from "../../core/engine/ConversationRunner.ts"
import { Repository } from "../../core/ports/Repository.ts"
import { carrierWords } from "../shared/CarrierWords.ts"
import { refused, type SocketHandler, type SocketTalk } from "../shared/LiveSockets.ts"
import * as CallbackUrls from "./CallbackUrls.ts"
import { requestOf } from "./DialledRequest.ts"
import { isMachine, isOver, secondsOf } from "./Progress.ts"
import * as RelayErrors from "./RelayErrors.ts"
import * as Signature from "./Signature.ts"
import * as Twiml from "./Twiml.ts"

export interface Options {
  readonly authToken: Redacted.Redacted
  readonly publicUrl: string
  /** Has the conversation of a session held over a relay's socket. */
  readonly talk: SocketTalk
}

/** The call of a callback and its session. */
export interface Talk {
  readonly dialled: CallbackUrls.Dialled
  readonly session_id: string
  /** The connection of the relay that has ended. */
  readonly connection: CallbackUrls.Connection
}

export interface Conversations {
  /** Passes on what Twilio has found out of who has answered. */
  readonly detected: (of: Talk, fields: Signature.Fields) => Effect.Effect<void>
  /** The TwiML by which a call goes on when its relay's session has ended. */
  readonly after: (of: Talk, fields: Signature.Fields) => Effect.Effect<string>
  /** Takes the relay's socket when Twilio has signed the request for it. */
  readonly accept: SocketHandler
}

const nameOf = ({ dialled: { workspace_id }, session_id }: Talk) => ({ workspace_id, session_id })

/** The conversations of Twilio's calls that are held here, over ConversationRelay. */
export const make = Effect.fnUntraced(function* ({
  authToken,
  publicUrl,
  talk
}: Options): Effect.fn.Return<Conversations, never, CarrierReports | ConversationRunner | Repository> {
  const reports = yield* CarrierReports
  const repository = yield* Repository
  const runner = yield* ConversationRunner

  /** A relay that cannot go on ends the call: the callee has heard nothing, or not all. */
  const failed = Effect.fnUntraced(function* (
    { dialled: { key, workspace_id } }: Talk,
    fields: Signature.Fields,
    message: string
  ) {
    yield* reports.record([
      {
        workspace_id,
        key,
        progress: {
          _tag: "Ended",
          at: yield* Clock.currentTimeMillis,
          outcome: "failed",
          sub_status: "carrier_error",
          duration_seconds: secondsOf(Signature.one(fields, "SessionDuration")),
          error_code: Signature.one(fields, "ErrorCode"),
          error_message: message,
          carrier_message: carrierWords(Signature.one(fields, "ErrorMessage"))
        }
      }
    ])
    return Twiml.hangUp
  })

  const connected = Effect.fnUntraced(function* (
    { dialled, session_id }: Talk,
    connection: CallbackUrls.Connection
  ) {
    const request = yield* requestOf(repository, dialled)
    if (Option.isNone(request)) return Twiml.hangUp
    return Twiml.connect(request.value.agent, {
      url: CallbackUrls.conversation(publicUrl, authToken, request.value),
      action: CallbackUrls.after(publicUrl, dialled, session_id, connection)
    })
  })

  /** `lost` says what broke the connection, if it was broken. */
  const directed = (of: Talk, next: AfterLine, fields: Signature.Fields, lost: string | null) => {
    switch (next._tag) {
      case "HangUp":
        return Effect.succeed(Twiml.hangUp)
      case "Transfer":
        return Effect.succeed(Twiml.transfer(next.to_number, next.from_number))
      case "Connect": {
        const { answers } = next
        const number = answers > of.connection.answers ? 1 : of.connection.number + 1
        if (lost !== null && number > RelayErrors.mostConnections) return failed(of, fields, lost)
        return connected(of, { number, answers })
      }
    }
  }

  return {
    detected: Effect.fnUntraced(function* (of, fields) {
      const found = Signature.one(fields, "AnsweredBy") ?? ""
      if (isMachine(found)) yield* runner.tell(nameOf(of), { _tag: "AnsweredBy", who: "machine" })
      if (found.startsWith("machine_end")) yield* runner.tell(nameOf(of), { _tag: "MessageEnded" })
      if (found === "human") yield* runner.tell(nameOf(of), { _tag: "AnsweredBy", who: "human" })
    }),

    after: Effect.fnUntraced(function* (of, fields) {
      if (isOver(Signature.one(fields, "CallStatus") ?? "")) return Twiml.nothing
      const code = Signature.one(fields, "ErrorCode") ?? ""
      const error = RelayErrors.meaningOf(code)
      if (error !== null && code !== RelayErrors.lost) return yield* failed(of, fields, error)
      const isEnded = Signature.one(fields, "SessionStatus") === "ended"
      const token = isEnded ? (Signature.one(fields, "HandoffData") ?? "") : null
      return yield* directed(of, yield* runner.after(nameOf(of), token), fields, error)
    }),

    accept: ({ headers, url }) =>
      Effect.sync(() => {
        const socket = CallbackUrls.socketFor(publicUrl, authToken, url)
        if (socket === null) return refused(404, "there is no conversation at this address")
        const { session, signed } = socket
        const signature = headers["x-twilio-signature"]
        const isSigned =
          typeof signature === "string" &&
          Signature.verify(Redacted.value(authToken), signature, [signed], new Map())
        if (!isSigned) return refused(403, "the signature is not the carrier's")
        return {
          _tag: "Accepted",
          name: session.session_id,
          run: (live) => talk(session, live)
        }
      })
  }
})
