import type { Command } from "@effect/cli/Command"
import * as Options from "@effect/cli/Options"
import { Effect, Option, Schema } from "effect"
import { Agent } from "../../../core/model/agents/Agent.ts"
import { Interruptible, standardTalk, VoicemailPolicy } from "../../../core/model/agents/Talk.ts"
import * as Flags from "../command/Flags.ts"
import { CommandFailed } from "../terminal/Failure.ts"
import * as Files from "../terminal/Files.ts"

const actions = VoicemailPolicy.fields.action.literals

const optional = (name: string, value: string, about: string) =>
  Options.optional(Flags.text(name, value, about))
const seconds = (name: string, about: string) => Options.optional(Flags.whole(name, about))

/** `+14155550100=Front desk` */
const transferOf = (text: string) => {
  const at = text.indexOf("=")
  return at < 1
    ? Effect.fail(
        Flags.invalid("--transfer must be a number and who answers, such as +14155550100=Front desk")
      )
    : Effect.succeed({ to_number: text.slice(0, at).trim(), description: text.slice(at + 1).trim() })
}

export const options = {
  file: optional(
    "file",
    "FILE",
    "A JSON file with fields of the agent, as in the REST interface. Other options go before it."
  ),
  name: optional("name", "NAME", "What people call it, at most 200 characters."),
  channel: Flags.text("channel", "CHANNEL", "How it reaches people: voice (when not given) or msg.").pipe(
    Options.mapEffect(Flags.oneOf("--channel", Agent.fields.channel.literals)),
    Options.optional
  ),
  prompt: optional("prompt", "TEXT", "What it is told to do; {{name}} is filled in."),
  promptFile: optional("prompt-file", "FILE", "The same, from a text file."),
  firstMessage: optional("first-message", "TEXT", "What it says first; when empty, the model opens."),
  voice: optional("voice", "VOICE", "The carrier's name of its voice."),
  language: optional("language", "TAG", "Such as en-US or de-DE."),
  model: optional("model", "NAME", "The language model; the server's own when not given."),
  temperature: Options.optional(
    Flags.number(
      "temperature",
      "N",
      "The model's temperature, 0 to 2.",
      Schema.Number.pipe(Schema.between(0, 2))
    )
  ),
  tools: optional("tools", "FILE", "A JSON file with the list of its own tools."),
  transfers: Flags.text(
    "transfer",
    "NUMBER",
    "A number that it may transfer calls to, =, and who answers there. May be given again."
  ).pipe(Options.repeated, Options.mapEffect(Effect.forEach(transferOf))),
  voicemail: Flags.text("voicemail", "ACTION", `What it does at a voicemail: ${actions.join(", ")}.`).pipe(
    Options.mapEffect(Flags.oneOf("--voicemail", actions)),
    Options.optional
  ),
  voicemailMessage: optional("voicemail-message", "TEXT", "What leave_message says."),
  nudges: Flags.text("nudge", "TEXT", "What it says after a silence. May be given again.").pipe(
    Options.repeated
  ),
  interruptible: Flags.text(
    "interruptible",
    "BY",
    `What may cut it short: ${Interruptible.literals.join(", ")}.`
  ).pipe(Options.mapEffect(Flags.oneOf("--interruptible", Interruptible.literals)), Options.optional),
  backchannels: Flags.text(
    "backchannel",
    "WORD",
    "A word that does not interrupt it when said alone. May be given again."
  ).pipe(Options.repeated),
  hints: optional("hints", "WORDS", "Words that callees may say, for the transcription: comma-separated."),
  questions: optional("questions", "FILE", "A JSON file with the list of what is to be known after a call."),
  qualifiedWhen: optional("qualified-when", "TEXT", "What makes a callee qualified, for the review."),
  idleTimeoutWarning: seconds("idle-timeout-warning", "Seconds of silence before it nudges."),
  idleTimeoutEnd: seconds("idle-timeout-end", "Seconds of silence after that before it hangs up."),
  maxCallLength: seconds("max-call-length", "Seconds that a call may last.")
}

type Given = Command.ParseConfig<typeof options>
type Fields = Readonly<Record<string, unknown>>

/** A JSON file that holds what is wanted; the error names the file and what it must hold. */
const jsonIn = <A>(path: string, is: (value: unknown) => value is A, wanted: string) =>
  Effect.flatMap(Files.textOf(path), (text) =>
    Effect.try((): unknown => JSON.parse(text)).pipe(
      Effect.filterOrFail(is),
      Effect.mapError(() => new CommandFailed({ message: `${path} must hold ${wanted} as JSON` }))
    )
  )

const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)
const isList = (value: unknown): value is ReadonlyArray<unknown> => Array.isArray(value)

/** Those options that were given. */
const set = (all: Readonly<Record<string, Option.Option<unknown>>>): Fields =>
  Object.fromEntries(
    Object.entries(all).flatMap(([name, value]) => (Option.isSome(value) ? [[name, value.value]] : []))
  )

const several = (all: Readonly<Record<string, ReadonlyArray<unknown>>>): Fields =>
  Object.fromEntries(Object.entries(all).filter(([, values]) => values.length > 0))

/** Fields of which options name a part. The rest of them stays as the agent has it. */
const parts = { ...standardTalk, model: { name: null, temperature: null } } as const
type Part = "model" | "voicemail" | "transcription" | "review"

/** The body of the request that makes an agent, or changes the one that there is. */
export const bodyOf = Effect.fnUntraced(function* (given: Given, before: Fields = {}) {
  const read = <A>(option: Option.Option<string>, of: (path: string) => A) => Option.map(option, of)
  const file = yield* Effect.transposeOption(
    read(given.file, (path) => jsonIn(path, isObject, "an object with fields of an agent"))
  )
  const prompt = yield* Effect.transposeOption(read(given.promptFile, Files.textOf))
  const tools = yield* Effect.transposeOption(
    read(given.tools, (path) => jsonIn(path, isList, "a list of tools"))
  )
  const questions = yield* Effect.transposeOption(
    read(given.questions, (path) => jsonIn(path, isList, "a list of questions"))
  )
  const fields: Fields = {
    ...Option.getOrElse(file, () => ({})),
    ...set({
      name: given.name,
      channel: given.channel,
      prompt: Option.orElse(prompt, () => given.prompt),
      first_message: given.firstMessage,
      voice: given.voice,
      language: given.language,
      tools,
      interruptible: given.interruptible,
      idle_timeout_warning: given.idleTimeoutWarning,
      idle_timeout_end: given.idleTimeoutEnd,
      max_call_length: given.maxCallLength
    }),
    ...several({ transfers: given.transfers, nudge: given.nudges, backchannels: given.backchannels })
  }
  const part = (name: Part, options: Readonly<Record<string, Option.Option<unknown>>>): Fields => {
    const named = set(options)
    if (Object.keys(named).length === 0) return {}
    const known = fields[name] ?? before[name]
    return { [name]: { ...parts[name], ...(isObject(known) ? known : {}), ...named } }
  }
  const leaves = Option.as(given.voicemailMessage, "leave_message")
  return {
    ...fields,
    ...part("model", { name: given.model, temperature: given.temperature }),
    ...part("voicemail", {
      action: Option.orElse(given.voicemail, () => leaves),
      message: given.voicemailMessage
    }),
    ...part("transcription", { hints: given.hints }),
    ...part("review", { questions, qualified_when: given.qualifiedWhen })
  }
})
