import { useSignal } from "@preact/signals"
import type { DoNotCallImport } from "outdial/client"
import { FileField, LongTextField } from "../components/Fields.tsx"
import { Form } from "../components/Form.tsx"
import { notify } from "../components/Notice.tsx"
import { Page } from "../components/Page.tsx"
import { Table } from "../components/Table.tsx"
import { messageOf } from "../components/States.tsx"
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

/** Which number the interface refuses, which it names by its place: `phone_numbers.1 must …`. */
const refused = (numbers: ReadonlyArray<string>, error: unknown): string => {
  const [, at] = /^phone_numbers\.(\d+)/.exec(messageOf(error)) ?? []
  const number = at === undefined ? undefined : numbers[Number(at)]
  return number === undefined ? "No number was added." : `No number was added. See ${number}:`
}

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
        <Form
          action={adding}
          submit="Add the numbers"
          failure={refused(numbersOf(text.value), adding.error)}
          actions={
            <a class="button plain" href={to("/numbers/do-not-call")}>
              Back to the list
            </a>
          }
        >
          <LongTextField
            label="Numbers, one a line"
            required
            rows={6}
            hint="With + and the country code. All of them are added, or none."
            value={text.value}
            onChange={(value) => (text.value = value)}
          />
        </Form>
        <Form
          action={importing}
          submit="Import the file"
          busy="Importing…"
          failure="The file was not taken."
          disabled={file.value === null}
          isPrimary={false}
        >
          <FileField
            label="Or a file"
            accept=".csv,.xlsx"
            hint="CSV or XLSX with a column phone_number, phone, mobile or number; at most 5 MB."
            onChange={(chosen) => (file.value = chosen)}
          />
        </Form>
        {imported.value !== null && <Refused done={imported.value} />}
      </div>
    </Page>
  )
}
