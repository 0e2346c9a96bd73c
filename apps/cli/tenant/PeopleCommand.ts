import * as Options from "@effect/cli/Options"
import { Effect, Option, Stream } from "effect"
import { Erased, PersonExport } from "../../../core/model/people/Person.ts"
import { command, group } from "../command/Command.ts"
import * as Flags from "../command/Flags.ts"
import * as Connection from "../rest/Connection.ts"
import { Rest } from "../rest/Rest.ts"
import * as Files from "../terminal/Files.ts"
import { Output, result, verbatim } from "../terminal/Output.ts"
import { pairs } from "../terminal/Table.ts"

const number = Flags.argument("NUMBER", "The person's number in E.164 form, such as +14155550123.")
/** All of a person's calls are read, or erased, in one request. */
const patience = "10 minutes"

const collect = command(
  "export",
  {
    about:
      "Writes what the workspace keeps of a person as one JSON document.\nIt has calls and messages with their transcripts and recordings, and recipients of campaigns.",
    examples: [
      "outdial people export +14155550123 --output person.json",
      "outdial people export +14155550123"
    ]
  },
  {
    number,
    output: Options.optional(
      Flags.text("output", "FILE", "Where the document is written; stdout, when not given.")
    ),
    url: Connection.url,
    json: Flags.flag("json", "With --output: answers one JSON document that says what was written.")
  },
  Effect.fnUntraced(function* ({ json, number, output }) {
    const { ask } = yield* Rest
    const body = { phone_number: number }
    if (Option.isNone(output)) {
      const { text } = yield* ask(PersonExport, "POST", "/people/export", body, patience)
      return yield* (yield* Output).out(text)
    }
    const file = output.value
    yield* Files.prepare(file)
    const { text, value } = yield* ask(PersonExport, "POST", "/people/export", body, patience)
    yield* Files.write(file, Stream.make(new TextEncoder().encode(`${text}\n`)))
    const [calls, recipients] = [value.calls.length, value.recipients.length]
    yield* result(
      json,
      { output: file, calls, recipients, on_do_not_call_list: value.on_do_not_call_list },
      () => `${calls} calls and messages, ${recipients} recipients are in ${file}.`
    )
  }, Connection.provide)
)

const erase = command(
  "erase",
  {
    about:
      "Erases what the workspace keeps of a person, for good.\nRecordings, transcripts, names, variables, metadata, messages and the number itself go. Counts and charges stay, and an entry of the do-not-call list.",
    examples: ["outdial people erase +14155550123 --yes"]
  },
  {
    number,
    yes: Flags.flag("yes", "Needed: what is erased is gone for good."),
    url: Connection.url,
    json: Flags.json
  },
  Effect.fnUntraced(function* ({ json, number, yes }) {
    if (!yes)
      return yield* Effect.fail(
        Flags.invalid("what is erased is gone for good: give --yes too (`people export` shows what there is)")
      )
    const done = yield* (yield* Rest).ask(Erased, "POST", "/people/erase", { phone_number: number }, patience)
    const { calls, recipients, recordings, transcripts, under_way } = done.value
    yield* verbatim(json, done.text, () =>
      pairs([
        ["CALLS", calls],
        ["RECIPIENTS", recipients],
        ["RECORDINGS", recordings],
        ["TRANSCRIPTS", transcripts],
        ["UNDER WAY", under_way === 0 ? 0 : `${under_way}: erase again when they are over`]
      ])
    )
  }, Connection.provide)
)

/** What a person may ask for, by the REST interface. */
export const people = group("people", { about: "Exports or erases what is kept of a person, by number." }, [
  collect,
  erase
])
