import * as Args from "@effect/cli/Args"
import * as Options from "@effect/cli/Options"
import { Effect, Option, Schema } from "effect"
import { Characters } from "../../../core/model/Codecs.ts"
import { LedgerEntry } from "../../../core/model/workspaces/Ledger.ts"
import { Credits } from "../../../core/usecases/Credits.ts"
import { Workspaces } from "../../../core/usecases/Workspaces.ts"
import { command, group } from "../command/Command.ts"
import * as Flags from "../command/Flags.ts"
import { result } from "../terminal/Output.ts"
import { type Column, moment, table } from "../terminal/Table.ts"
import * as Administration from "./Administration.ts"

const encode = Schema.encodeSync(LedgerEntry)

const Amount = Schema.Number.pipe(
  Schema.filter(
    (amount) => (Number.isSafeInteger(amount) && amount !== 0) || "must be a whole number, not zero"
  )
)

const columns: ReadonlyArray<Column<LedgerEntry>> = [
  { title: "TIME", value: ({ created_at }) => moment(created_at) },
  { title: "KIND", value: ({ kind }) => kind },
  { title: "AMOUNT", value: ({ amount }) => amount },
  { title: "REFERENCE", value: ({ reference }) => reference ?? "" }
]

const shownEntries = 20

const add = command(
  "add",
  {
    about:
      "Adds credits to a workspace. An amount below zero takes them; the balance never falls below zero.",
    examples: [
      "outdial credits add --workspace ws_01 1000 --reference invoice-42",
      "outdial credits add --workspace ws_01 -- -250"
    ]
  },
  {
    workspace: Flags.workspace,
    amount: Args.float({ name: "AMOUNT" }).pipe(
      Args.withDescription("Whole credits to add; below zero, to take."),
      Args.mapEffect((amount) =>
        Effect.mapError(Flags.checked("AMOUNT", Amount)(amount), ({ error }) => error)
      )
    ),
    reference: Flags.text(
      "reference",
      "TEXT",
      "What the entry is for, such as an invoice; at most 200 characters."
    ).pipe(Options.mapEffect(Flags.checked("--reference", Characters(1, 200))), Options.optional),
    json: Flags.json
  },
  Effect.fnUntraced(function* ({ amount, json, reference, workspace }) {
    const { id } = yield* (yield* Workspaces).get(workspace)
    const balance = yield* (yield* Credits).topUp(id, amount, Option.getOrNull(reference))
    yield* result(
      json,
      { customer_id: id, amount, balance },
      () => `${amount > 0 ? `Added ${amount}` : `Took ${-amount}`}; the balance is ${balance} credits.`
    )
  }, Effect.provide(Administration.layer))
)

const show = command(
  "show",
  {
    about: `Shows a workspace's balance and its newest ${shownEntries} ledger entries.`,
    examples: ["outdial credits show --workspace ws_01"]
  },
  { workspace: Flags.workspace, json: Flags.json },
  Effect.fnUntraced(function* ({ json, workspace }) {
    const { id } = yield* (yield* Workspaces).get(workspace)
    const credits = yield* Credits
    const balance = yield* credits.balance(id)
    const { data, total } = yield* credits.ledger(id, {}, { limit: shownEntries, offset: 0 })
    const entries = data.map((entry) => encode(entry))
    yield* result(json, { customer_id: id, balance, entries, total_entries: total }, (width) =>
      [
        `Balance: ${balance} credits`,
        ...(total === 0 ? [] : ["", table(columns, data, width)]),
        ...(total > data.length ? ["", `The newest ${data.length} of ${total} entries.`] : [])
      ].join("\n")
    )
  }, Effect.provide(Administration.layer))
)

export const credits = group("credits", { about: "Adds to and shows a workspace's credits." }, [add, show])
