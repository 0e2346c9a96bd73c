import { mostConnections } from "../../../adapters/twilio/RelayErrors.ts"
import { type Finding, grouped } from "../Verdict.ts"
import { notConnected, type Spoken, type Talked } from "./Callee.ts"
import { isAnswer, textOf } from "./Mind.ts"
import type { Use } from "./Servers.ts"

export type Promised =
  | "every talk goes on to its end"
  | "every end is on record, as it was"
  | "no tool carried out twice"
  | "every tool carried out, but where a process died over it"
  | "all that was heard is in the history, but for the last second"
  | "nothing is in the history that was not heard"

/** What the system says of a call. */
export interface Told {
  readonly call: { readonly status: string; readonly outcome: string | null }
  readonly session: { readonly status: string; readonly reason: string | null }
  readonly turns: ReadonlyArray<{ readonly role: string; readonly text: string }>
}

/** All that the verdict is made of: the ledgers of Twilio's side and of the tool, and what the system says of itself. */
export interface Evidence {
  readonly talks: ReadonlyArray<Talked & { readonly told: Told | null }>
  readonly uses: ReadonlyArray<Use>
  /** When processes were told to end, or killed. */
  readonly kills: ReadonlyArray<number>
}

/** What may be missing was read so long before, in milliseconds: a second, and what a busy machine takes to write. */
const unwritten = 2_000
/** How long a process may take to tell how a talk ended. */
const untellable = 5_000

const packed = (text: string) => text.replaceAll(/\s+/g, "")

/** The texts that are not found in this order. */
const missing = (texts: ReadonlyArray<string>, within: string): ReadonlyArray<string> => {
  let from = 0
  return texts.filter((text) => {
    const at = within.indexOf(packed(text), from)
    if (at === -1) return true
    from = at + packed(text).length
    return false
  })
}

/** Whether it came so shortly before one of the moments, or was never read. */
const isLate = (at: number, moments: ReadonlyArray<number>, within = unwritten): boolean =>
  at === Infinity || moments.some((moment) => at >= moment - within && at <= moment)

/**
 * When a process died under a talk: at a break of its connection, or just as the talk ended, which breaks none. Of an
 * end that a process died over, what was said last may not have been written yet.
 */
const deathsUnder = ({ drops, ended }: Talked, kills: ReadonlyArray<number>): ReadonlyArray<number> => {
  if (ended === null) return drops
  const over = kills.filter((kill) => Math.abs(kill - ended.at) <= unwritten)
  return over.length === 0 ? drops : [...drops, ended.at, ...over]
}

/**
 * Whether as many of its last connections broke as may, one after the other, without an answer of the agent that was
 * written: such a call is not connected again, and has failed.
 */
const isGivenUp = ({ drops, failed, spoken }: Talked): boolean => {
  if (failed?.startsWith(notConnected) !== true || drops.length < mostConnections) return false
  const from = drops.at(-mostConnections - 1) ?? -Infinity
  return !spoken.some(
    ({ at, by, text }) => by === "agent" && at > from && isAnswer(text) && !isLate(at, drops)
  )
}

const finding = (
  promise: Promised,
  expected: number,
  breaches: ReadonlyArray<string>
): Finding<Promised> => ({
  promise,
  expected,
  found: expected - breaches.length,
  breaches,
  open: false
})

const turnsOf = ({ told }: Evidence["talks"][number], role: string): ReadonlyArray<string> =>
  (told?.turns ?? []).filter((turn) => turn.role === role).map(({ text }) => text)

const spokenBy = ({ spoken }: Talked, by: Spoken["by"]) => spoken.filter((piece) => piece.by === by)

export const judge = ({ kills, talks, uses }: Evidence): ReadonlyArray<Finding<Promised>> => {
  const isLost = ({ answered, ended, failed, lines }: Talked) =>
    ended === null || failed !== null || answered < lines.length
  const givenUp = new Set(talks.filter(isGivenUp))
  const lost = talks.filter((talk) => isLost(talk) && !givenUp.has(talk))
  const untold = talks.filter((talk) => {
    const { drops, ended, told } = talk
    if (told !== null && givenUp.has(talk)) {
      return told.call.status !== "failed" || told.session.status !== "over"
    }
    if (told === null || ended === null) return true
    if (told.call.status !== "completed" || told.call.outcome !== "answered") return true
    if (told.session.status !== "over") return true
    // A process that dies while the callee hangs up cannot tell how the talk ended: that is found out later.
    if (isLate(ended.at, [...kills, ...drops], untellable)) return false
    const reason = ended.by === "agent" ? "agent_hangup" : "user_hangup"
    return told.session.reason !== reason
  })
  const byLine = grouped(uses, ({ number, session_id }) => `${session_id} ${number}`)
  const booked = talks.flatMap((talk) =>
    talk.lines.filter(({ kind }) => kind === "Book").map((line) => ({ line, talk }))
  )
  const undone = booked.filter(({ line, talk }) => {
    if (byLine.has(`${talk.session_id} ${line.number}`)) return false
    const said = talk.spoken.findLast(({ text }) => text === textOf(line))
    if (said === undefined && givenUp.has(talk)) return false
    // What was under way when a process died is told as unknown, and not carried out again.
    return said === undefined || (said.at < Infinity && !talk.drops.some((at) => at >= said.at))
  })
  const forgotten = talks.flatMap((talk) => {
    const deaths = deathsUnder(talk, kills)
    return (["agent", "callee"] as const).flatMap((by) => {
      const pieces = spokenBy(talk, by).filter(({ at }) => !isLate(at, deaths))
      return missing(
        pieces.map(({ text }) => text),
        packed(turnsOf(talk, by).join(""))
      ).map((text) => `${talk.session_id}: ${by}: ${text}`)
    })
  })
  const invented = talks.flatMap((talk) =>
    (["agent", "callee"] as const).flatMap((by) => {
      const spoken = packed(
        spokenBy(talk, by)
          .map(({ text }) => text)
          .join("")
      )
      return missing(turnsOf(talk, by), spoken).map((text) => `${talk.session_id}: ${by}: ${text}`)
    })
  )
  const pieces = talks.reduce((sum, { spoken }) => sum + spoken.length, 0)
  const turns = talks.reduce((sum, { told }) => sum + (told?.turns.length ?? 0), 0)
  return [
    finding(
      "every talk goes on to its end",
      talks.length,
      lost.map(({ call_id, failed }) => `${call_id}: ${failed ?? "not over"}`)
    ),
    finding(
      "every end is on record, as it was",
      talks.length,
      untold.map(({ call_id, told }) =>
        told === null
          ? call_id
          : `${call_id}: ${told.call.status} ${told.call.outcome}, ${told.session.status} ${told.session.reason}`
      )
    ),
    finding(
      "no tool carried out twice",
      byLine.size,
      [...byLine].flatMap(([line, used]) => (used.length > 1 ? [line] : []))
    ),
    finding(
      "every tool carried out, but where a process died over it",
      booked.length,
      undone.map(({ line, talk }) => `${talk.session_id} ${line.number}`)
    ),
    finding("all that was heard is in the history, but for the last second", pieces, forgotten),
    finding("nothing is in the history that was not heard", turns, invented)
  ]
}
