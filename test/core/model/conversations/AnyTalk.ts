import { assert } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import {
  type ConversationState,
  phaseOf,
  runningTools,
  type Settings,
  textOf
} from "../../../../core/model/conversations/Conversation.ts"
import {
  begin,
  type ConversationEvent,
  step
} from "../../../../core/model/conversations/ConversationMachine.ts"
import type { ConversationCommand } from "../../../../core/model/conversations/Draft.ts"
import { historyOf } from "../../../../core/model/conversations/History.ts"
import { partialAfter, readOn, sliceOf, unread } from "../../../../core/model/conversations/Journal.ts"
import { transcriptOf } from "../../../../core/model/conversations/Transcript.ts"
import { settings } from "./Talk.ts"

/** Something happens after some time: an event that fits how things stand, or any at all. */
interface Moment {
  readonly after: number
  readonly event: ConversationEvent | "deltas" | "finish" | "play" | "tools" | "answer"
}

const words = FastCheck.constantFrom(
  "yes",
  "mhm",
  "Stop",
  "I would like a table",
  "",
  "  ",
  "Wait, no",
  "🙂",
  "a b  c"
)
const generation = FastCheck.integer({ min: 0, max: 12 })
const toolName = FastCheck.constantFrom(
  "lookup",
  "end_call",
  "transfer",
  "send_digits",
  "voicemail",
  "do_not_call",
  ""
)
const given = FastCheck.constantFrom(
  "{}",
  "nonsense",
  '{"to":"+14155550100"}',
  '{"digits":"12"}',
  "null",
  "[]"
)

const event: FastCheck.Arbitrary<Moment["event"]> = FastCheck.oneof(
  {
    arbitrary: FastCheck.constantFrom(
      "deltas" as const,
      "finish" as const,
      "play" as const,
      "tools" as const,
      "answer" as const
    ),
    weight: 12
  },
  {
    arbitrary: words.map((text) => ({ _tag: "CalleeSaid", text, final: true, language: null }) as const),
    weight: 4
  },
  {
    arbitrary: words.map((text) => ({ _tag: "CalleeSaid", text, final: false, language: null }) as const),
    weight: 4
  },
  { arbitrary: FastCheck.boolean().map((on) => ({ _tag: "CalleeSpeaking", on }) as const), weight: 3 },
  { arbitrary: FastCheck.boolean().map((on) => ({ _tag: "AgentSpeaking", on }) as const), weight: 2 },
  { arbitrary: FastCheck.constant({ _tag: "Interrupted", heard_ms: null } as const), weight: 3 },
  {
    arbitrary: FastCheck.constantFrom("1", "#", "x").map((digit) => ({ _tag: "Digit", digit }) as const),
    weight: 2
  },
  words.map((text) => ({ _tag: "Played", text }) as const),
  FastCheck.constant({ _tag: "Connected" } as const),
  FastCheck.constantFrom("dropped" as const, "hangup" as const, "ended" as const).map(
    (reason) => ({ _tag: "Closed", reason }) as const
  ),
  FastCheck.constantFrom("human" as const, "machine" as const).map(
    (who) => ({ _tag: "AnsweredBy", who }) as const
  ),
  FastCheck.constant({ _tag: "MessageEnded" } as const),
  FastCheck.constant({ _tag: "HangUp" } as const),
  FastCheck.boolean().map((fatal) => ({ _tag: "LineError", code: "64107", message: "x", fatal }) as const),
  FastCheck.tuple(generation, words).map(([id, text]) => ({ _tag: "Delta", generation: id, text }) as const),
  generation.map((id) => ({ _tag: "Generated", generation: id }) as const),
  generation.map((id) => ({ _tag: "GenerationFailed", generation: id, message: "x" }) as const),
  FastCheck.tuple(generation, toolName, given).map(
    ([id, name, text]) =>
      ({ _tag: "ToolsAsked", generation: id, calls: [{ name, arguments: text }] }) as const
  )
)

const moment: FastCheck.Arbitrary<Moment> = FastCheck.record({
  after: FastCheck.oneof(
    FastCheck.integer({ min: 0, max: 400 }),
    FastCheck.integer({ min: 0, max: 5_000 }),
    FastCheck.integer({ min: 0, max: 60_000 })
  ),
  event
})

const seconds = FastCheck.integer({ min: 1, max: 60 })

const anySettings: FastCheck.Arbitrary<Settings> = FastCheck.record({
  idle_timeout_warning: seconds,
  idle_timeout_end: seconds,
  max_call_length: FastCheck.integer({ min: 1, max: 300 }),
  first_message: FastCheck.constantFrom("", "Hello."),
  interruptible: FastCheck.constantFrom<Settings["interruptible"][]>("any", "speech", "none"),
  action: FastCheck.constantFrom<Settings["voicemail"]["action"][]>("hang_up", "leave_message", "continue"),
  reportsPlayout: FastCheck.boolean()
}).map(({ action, reportsPlayout, ...changes }) => ({
  ...settings,
  ...changes,
  voicemail: { action, message: "Please call back." },
  line: { ...settings.line, reportsPlayout }
}))

export interface Seen {
  readonly at: number
  readonly event: ConversationEvent
  readonly commands: ReadonlyArray<ConversationCommand>
  readonly state: ConversationState
}

/** What fits how things stand: the model, the line and the tools do what they were asked for. */
const resolved = ({ event }: Moment, state: ConversationState): ReadonlyArray<ConversationEvent> => {
  if (typeof event === "object") return [event]
  const id = state.generation?.id ?? 0
  const running = Object.values(state.tools).find(({ result }) => result === null)
  switch (event) {
    case "deltas":
      return [
        { _tag: "Delta", generation: id, text: "One thing, " },
        { _tag: "Delta", generation: id, text: "another." }
      ]
    case "finish":
      return [{ _tag: "Generated", generation: id }]
    case "tools":
      return [{ _tag: "ToolsAsked", generation: id, calls: [{ name: "lookup", arguments: "{}" }] }]
    case "answer":
      return running === undefined ? [] : [{ _tag: "ToolEnded", id: running.id, result: "{}" }]
    case "play": {
      const sent = state.cycle === null ? "" : textOf(state.cycle.segments)
      const rest = sent.slice(state.cycle?.played.length ?? 0)
      return [
        { _tag: "AgentSpeaking", on: true },
        { _tag: "Played", text: rest },
        { _tag: "AgentSpeaking", on: false }
      ]
    }
  }
}

/** Chai makes an object of each assertion, which takes longer than a step of the machine: only what fails gets one. */
const must = (is: boolean, message: string): void => {
  if (!is) assert.fail(message)
}

/** Plays moments, then lets time alone do the rest for as long as a call may last and a little more. */
const play = (rules: Settings, moments: ReadonlyArray<Moment>): ReadonlyArray<Seen> => {
  const seen: Array<Seen> = []
  let state = begin(rules, 0)
  let now = 0
  let timer: number | null = 0
  const tell = (event: ConversationEvent) => {
    const next = step(state, event, now)
    state = next.state
    timer = next.timer
    seen.push({ at: now, event, commands: next.commands, state })
  }
  const pass = (until: number) => {
    for (let rings = 0; ; rings++) {
      const next = timer
      if (next === null || next > until) break
      must(rings < 10_000, "timers ring without end")
      now = Math.max(now, next)
      tell({ _tag: "TimerFired" })
    }
    now = until
  }
  for (const each of moments) {
    pass(now + each.after)
    for (const event of resolved(each, state)) tell(event)
  }
  pass(now + (rules.max_call_length + 120) * 1_000)
  return seen
}

/** Looks at whole talks, `runs` of them, made of any events in any order at any times. */
export const property = (
  runs: number,
  check: (rules: Settings, seen: ReadonlyArray<Seen>) => void
): boolean => {
  const talks = FastCheck.array(moment, { maxLength: 60, size: "max" })
  const holds = FastCheck.property(anySettings, talks, (rules, moments) => check(rules, play(rules, moments)))
  FastCheck.assert(holds, { numRuns: runs })
  return true
}

const plain = (text: string) => text.replaceAll(/\s/g, "")

/** It keeps its rules from the first event to the last. */
export const keepsItsRules = (rules: Settings, seen: ReadonlyArray<Seen>): void => {
  let open: number | null = null
  let ended = false
  const started = new Set<string>()
  for (const { at, commands, event, state } of seen) {
    if (event._tag === "Generated" || event._tag === "ToolsAsked" || event._tag === "GenerationFailed") {
      if (event.generation === open) open = null
    }
    for (const command of commands) {
      switch (command._tag) {
        case "Generate":
          must(open === null, "one live generation")
          open = command.generation
          break
        case "CancelGeneration":
          must(command.generation === open, "what is cancelled is live")
          open = null
          break
        case "RunTool":
          must(!started.has(command.call.id), "a tool is started once")
          started.add(command.call.id)
          break
        case "End":
          must(!ended, "the line is ended once")
          ended = true
          break
        case "Say":
          must(!ended, "nothing is said after the end")
      }
    }
    must((state.generation?.id ?? null) === open, "the live generation is the one that was asked for")
    const waitsForMore = state.unanswered && state.cycle !== null && state.cycle.interrupted_at === null
    const mayGrow = open !== null || runningTools(state) > 0 || state.cycle?.complete === true
    must(!waitsForMore || mayGrow, "a callee who asks waits for no turn to which nothing is added")
    if (phaseOf(state) === "thinking" && state.generation !== null && state.callee.partial === "") {
      const latest = Math.max(state.generation.requested_at, state.generation.heard_at)
      must(at - latest <= 10_000, "the model does not keep the callee waiting")
    }
  }
  const last = seen.at(-1)!.state
  assert.isNotNull(last.over, "it ends")
  assert.isNull(last.generation)
  assert.isNull(last.cycle)
  const over = seen.findIndex(({ state }) => state.over !== null)
  assert.isTrue(
    seen.slice(over + 1).every(({ commands }) => commands.length === 0),
    "nothing is asked for after that"
  )
  const told = seen
    .map(({ event }) => (event._tag === "Played" ? plain(event.text).length : 0))
    .reduce((a, b) => a + b, 0)
  let heard = 0
  for (const turn of last.turns) {
    if (turn.role !== "agent") continue
    must(textOf(turn.segments).startsWith(turn.heard), "what was heard begins what was sent")
    heard += plain(turn.heard).length
  }
  if (rules.line.reportsPlayout)
    assert.isAtMost(heard, told, "nothing counts as heard that was not told as played")
  const sent = plain(
    seen.flatMap(({ commands }) => commands.map((each) => (each._tag === "Say" ? each.text : ""))).join("")
  )
  const history = historyOf(last)
    .map((message) => (message.role === "agent" ? plain(message.text) : ""))
    .join("")
  assert.isAtMost(history.length, sent.length, "the model is told of nothing that was not sent")
}

/** It never waits in silence for longer than its timeouts allow. */
export const waitsNoLonger = (rules: Settings, seen: ReadonlyArray<Seen>): void => {
  const most = 2 * (rules.idle_timeout_warning + rules.idle_timeout_end) * 1_000
  for (const { at, state } of seen) {
    if (state.over !== null || state.waiting_since === null || state.silence === null) continue
    must(at - state.waiting_since <= most, "it waits no longer than its timeouts allow")
  }
}

/** Its journal, as it is stored slice by slice, gives the same transcript to the byte. */
export const isReplayed = (rules: Settings, seen: ReadonlyArray<Seen>): void => {
  let reading = unread(rules, 0)
  let said = ""
  for (let from = 0; from < seen.length; from += 5) {
    const entries = seen.slice(from, from + 5).map(({ at, event }) => ({ at, event }))
    // A process that goes on with the journal of another does not know its last partial.
    reading = readOn(reading, sliceOf(entries, from % 3 === 0 ? "" : said))
    said = partialAfter(entries, said)
  }
  const last = seen.at(-1)!.state
  assert.strictEqual(JSON.stringify(transcriptOf(reading.state)), JSON.stringify(transcriptOf(last)))
}
