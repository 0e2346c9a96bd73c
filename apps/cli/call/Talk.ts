import { Effect, Schedule, Schema, Stream } from "effect"
import { SessionRecord } from "../../../core/model/conversations/Session.ts"
import { TranscriptTurn } from "../../../core/model/conversations/Transcript.ts"
import { follow, jsonLine, type ServerEvent } from "../rest/Events.ts"
import { insist } from "../rest/Patience.ts"
import { note, Output } from "../terminal/Output.ts"
import { beside, moment } from "../terminal/Table.ts"

const Turn = Schema.parseJson(Schema.Struct({ number: Schema.Int, turn: TranscriptTurn }))
const Over = Schema.parseJson(Schema.Struct({ session: SessionRecord }))

const standardWidth = 100

const clockOf = (millis: number): string => moment(millis).slice(11, 19)

/** A turn of a talk, with its time of day in UTC, wrapped beside its speaker. */
const lineOf = ({ interrupted, role, started_at, text, tool }: TranscriptTurn, width: number): string => {
  const said = tool === null ? text : `${tool.name} ${tool.arguments} → ${text === "" ? "no answer" : text}`
  const title = `  ${clockOf(started_at)}  ${role.padEnd("callee".length)}  `
  return beside(title, interrupted ? `${said} — interrupted` : said, width).join("\n")
}

const endOf = ({ ended_at, reason, started_at, turns }: SessionRecord): string =>
  `  ${clockOf(ended_at ?? started_at)}  The talk is over: ${turns} turns, ${reason ?? "no reason given"}.`

/**
 * Prints what is said in a session, turn by turn, from its first to its end, through short outages. A session in which
 * nothing is talked here prints nothing.
 */
export const print = Effect.fnUntraced(function* (sessionId: string, json: boolean) {
  const { columns = standardWidth, out } = yield* Output
  let printed = 0
  let over = false
  const take = Effect.fnUntraced(function* (event: ServerEvent) {
    if (event.name === "turn") {
      const { number, turn } = yield* Schema.decode(Turn)(event.data)
      // A stream that begins anew begins with the first turn.
      if (number <= printed) return
      printed = number
      yield* out(json ? jsonLine(event) : lineOf(turn, columns))
    } else if (event.name === "over") {
      over = true
      const { session } = yield* Schema.decode(Over)(event.data)
      if (json || session.turns > 0) yield* out(json ? jsonLine(event) : endOf(session))
    }
  })
  const events = follow(`/sessions/${encodeURIComponent(sessionId)}/events`)
  yield* insist(
    Stream.runForEach(events, (event) => Effect.orDie(take(event))),
    note
  ).pipe(
    Effect.repeat({ until: () => over, schedule: Schedule.spaced("1 second") }),
    Effect.catchTag("Refused", (error) => (error.status === 404 ? Effect.void : error))
  )
})
