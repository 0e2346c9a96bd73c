import type { LedgerEntry, ListLedgerQuery } from "outdial/client"
import { type Filter, Filters } from "../components/Filters.tsx"
import { Listed } from "../components/Listed.tsx"
import { Empty, Shown } from "../components/States.tsx"
import type { Column } from "../components/Table.tsx"
import { Time } from "../components/Values.tsx"
import { dayStart } from "../data/Days.ts"
import { count, plural } from "../data/Format.ts"
import { useList } from "../data/List.ts"
import { type LiveEvent, useLive } from "../data/Live.ts"
import { useResource } from "../data/Resource.ts"
import { place } from "../router/Location.ts"
import { RecordLink } from "./RecordLink.tsx"
import { SettingsPage } from "./SettingsPage.tsx"

const kinds = [
  ["top_up", "Top-up"],
  ["hold", "Held for a call"],
  ["settle", "Talk and messages"],
  ["release", "Hold released"],
  ["generation", "Test scenarios written"],
  ["test", "Test runs"],
  ["conversation", "Conversations"],
  ["review", "Reviews"]
] as const satisfies ReadonlyArray<readonly [LedgerEntry["kind"], string]>

const names: ReadonlyMap<string, string> = new Map(kinds)

const columns: ReadonlyArray<Column<LedgerEntry>> = [
  { label: "What for", cell: ({ kind }) => names.get(kind) ?? kind },
  { label: "Record", kind: "wide", cell: ({ reference }) => <RecordLink id={reference} /> },
  { label: "When", cell: ({ created_at }) => <Time at={created_at} /> },
  {
    label: "Credits",
    kind: "number",
    cell: ({ amount }) => (
      <span class={amount > 0 ? "gain" : undefined}>{`${amount > 0 ? "+" : ""}${count(amount)}`}</span>
    )
  }
]

const filters: ReadonlyArray<Filter> = [
  { name: "kind", label: "What for", options: kinds },
  { name: "reference", label: "Record", hint: "call_…" },
  { name: "from", label: "From", type: "date" },
  { name: "to", label: "To", type: "date" }
]

export const CreditsPage = () => {
  const { query } = place.value
  const credits = useResource((api, options) => api.credits.balance(options))
  const ledger = useList((api, slice, options) =>
    api.credits.ledger(
      {
        ...slice,
        kind: (query.get("kind") ?? undefined) as ListLedgerQuery["kind"],
        reference: query.get("reference") ?? undefined,
        created_after: dayStart(query.get("from")),
        created_before: dayStart(query.get("to"), 1)
      },
      options
    )
  )
  const moves = ({ type }: LiveEvent) => type === "call" || type === "run"
  useLive(credits.reload, moves)
  useLive(ledger.reload, moves)
  return (
    <SettingsPage title="Credits">
      <Shown resource={credits} what="the balance">
        {({ balance }) => (
          <p class="lead">
            <strong class="figure">{plural(balance, "credit")}</strong>{" "}
            <span class="second">left; what is held for calls under way is taken off already</span>
          </p>
        )}
      </Shown>
      <Filters filters={filters} />
      <Listed
        resource={ledger}
        what="movements"
        caption="Movements of credits, newest first"
        columns={columns}
        id={({ id }) => id}
        empty={<Empty title="No movements yet" />}
      />
    </SettingsPage>
  )
}
