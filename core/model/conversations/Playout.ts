import { charactersPerSecond, type LineEvent, spokenAfter, startup } from "./Speech.ts"

/**
 * A line on which speech takes its time, as plain data: what it has to say is queued, sounds after 0.3 s, is told as
 * heard clause by clause, and is dropped when the callee interrupts. Times are epoch milliseconds.
 */
export interface Playout {
  /** Clauses that are yet to be heard; the first is being said. */
  readonly clauses: ReadonlyArray<string>
  /** When the first clause began, or will begin, to sound; null while there is nothing to say. */
  readonly began_at: number | null
  readonly speaking: boolean
  readonly interruptible: boolean
}

export const silent: Playout = { clauses: [], began_at: null, speaking: false, interruptible: true }

export interface Told {
  readonly playout: Playout
  readonly events: ReadonlyArray<LineEvent>
}

/** Pieces of a text, each up to and with its marks of a pause. */
const clausesOf = (text: string): ReadonlyArray<string> =>
  text.match(/[^.!?,;:]+[.!?,;:]*\s*|[.!?,;:]+\s*/g) ?? []

const isOpen = (clause: string | undefined): clause is string =>
  clause !== undefined && !/[.!?,;:]\s*$/.test(clause)

/** Queues a text. A last clause that has not come to a pause takes in what follows. */
export const say = (playout: Playout, text: string, interruptible: boolean, now: number): Playout => {
  if (text === "") return playout
  const { began_at, clauses } = playout
  const last = clauses.at(-1)
  const queued = isOpen(last)
    ? [...clauses.slice(0, -1), ...clausesOf(last + text)]
    : [...clauses, ...clausesOf(text)]
  return { ...playout, clauses: queued, began_at: began_at ?? Math.round(now) + startup, interruptible }
}

/** Whole milliseconds: a wait for a fraction of one may be rounded to nothing, and never bring its end. */
const lengthOf = (clause: string): number =>
  Math.max(1, Math.round((clause.length * 1_000) / charactersPerSecond))

/** When something is next to be told; null while there is nothing to say. */
export const next = ({ began_at, clauses, speaking }: Playout): number | null => {
  if (began_at === null || clauses[0] === undefined) return null
  return speaking ? began_at + lengthOf(clauses[0]) : began_at
}

/** What has been heard by now. */
export const advance = (before: Playout, now: number): Told => {
  const events: Array<LineEvent> = []
  let playout = before
  for (let at = next(playout); at !== null && at <= now; at = next(playout)) {
    if (!playout.speaking) {
      events.push({ _tag: "AgentSpeaking", on: true })
      playout = { ...playout, speaking: true }
      continue
    }
    const [heard, ...clauses] = playout.clauses
    events.push({ _tag: "Played", text: heard! })
    const isOver = clauses.length === 0
    if (isOver) events.push({ _tag: "AgentSpeaking", on: false })
    playout = { ...playout, clauses, began_at: isOver ? null : at, speaking: !isOver }
  }
  return { playout, events }
}

/** The callee talks over it: the fragment that was heard is told, the rest is dropped. */
export const interrupt = (playout: Playout, now: number): Told => {
  const { began_at, clauses, interruptible, speaking } = playout
  if (began_at === null || !interruptible) return { playout, events: [] }
  const heard = speaking ? spokenAfter(clauses[0] ?? "", now - began_at + startup) : ""
  return {
    playout: { ...silent, interruptible },
    events: [
      ...(heard === "" ? [] : [{ _tag: "Played" as const, text: heard }]),
      { _tag: "Interrupted", heard_ms: Math.max(0, now - began_at) },
      ...(speaking ? [{ _tag: "AgentSpeaking" as const, on: false }] : [])
    ]
  }
}
