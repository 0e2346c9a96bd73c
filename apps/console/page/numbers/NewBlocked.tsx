import { useSignal } from "@preact/signals"
import type { DoNotCallImport } from "outdial/client"
import { FileField, LongTextField } from "../components/Fields.tsx"
import { notify } from "../components/Notice.tsx"
import { Page } from "../components/Page.tsx"
import { Failure } from "../components/States.tsx"
import { Table } from "../components/Table.tsx"
import { useAction } from "../data/Action.ts"
import { count, plural } from "../data/Format.ts"
import { navigate, to } from "../router/Location.ts"
import { numbersOf } from "./Written.ts"

const Refused = ({ done }: { readonly done: DoNotCallImport }) => (
  <section class="stack">
    <p>
      {plural(done.added, "number")} of {plural(done.total_rows, "row")} came onto the list;{" "}
      {count(done.accepted_rows - done.added)} were on it.
    </p>
    {done.errors.length > 0 && (
      <Table
        caption="Rows without a good number"
        rows={done.errors}
        id={({ row }) => String(row)}
        columns={[
          { label: "Row", kind: "number", cell: ({ row }) => count(row) },
          { label: "Cell", cell: ({ value }) => value },
          { label: "Why", kind: "wide", cell: ({ error }) => error }
        ]}
      />
    )}
  </section>
)

export const NewBlocked = () => {
  const text = useSignal("")
  const file = useSignal<File | null>(null)
  const imported = useSignal<DoNotCallImport | null>(null)
  const adding = useAction(async (api) => {
    const { added } = await api.doNotCall.add({ phone_numbers: numbersOf(text.value) })
    notify(`${plural(added, "number")} came onto the do-not-call list.`)
    navigate(to("/numbers/do-not-call"))
  })
  const importing = useAction(async (api) => {
    if (file.value !== null) imported.value = await api.doNotCall.import(file.value)
  })
  return (
    <Page title="Add to the do-not-call list">
      <div class="stack">
        <form
          class="card stack form"
          onSubmit={(event) => {
            event.preventDefault()
            void adding.run()
          }}
        >
          <LongTextField
            label="Numbers, one a line"
            required
            rows={6}
            hint="With + and the country code. All of them are added, or none."
            value={text.value}
            onChange={(value) => (text.value = value)}
          />
          {adding.error !== null && <Failure error={adding.error} what="No number was added." />}
          <div class="actions">
            <button class="button primary" type="submit" disabled={adding.busy}>
              Add the numbers
            </button>
            <a class="button plain" href={to("/numbers/do-not-call")}>
              Back to the list
            </a>
          </div>
        </form>
        <form
          class="card stack form"
          onSubmit={(event) => {
            event.preventDefault()
            void importing.run()
          }}
        >
          <FileField
            label="Or a file"
            accept=".csv,.xlsx"
            hint="CSV or XLSX with a column phone_number, phone, mobile or number; at most 5 MB."
            onChange={(chosen) => (file.value = chosen)}
          />
          {importing.error !== null && <Failure error={importing.error} what="The file was not taken." />}
          <div class="actions">
            <button class="button" type="submit" disabled={importing.busy || file.value === null}>
              {importing.busy ? "Importing…" : "Import the file"}
            </button>
          </div>
        </form>
        {imported.value !== null && <Refused done={imported.value} />}
      </div>
    </Page>
  )
}
