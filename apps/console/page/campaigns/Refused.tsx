import type { CampaignImport } from "outdial/client"
import { useState } from "preact/hooks"
import { Fold } from "../components/Fold.tsx"
import { Failure } from "../components/States.tsx"
import { type Column, Table } from "../components/Table.tsx"
import { useAction } from "../data/Action.ts"
import { download } from "../data/Download.ts"
import { count, plural } from "../data/Format.ts"
import { CountryCode } from "./CountryCode.tsx"
import { corrected, isRepeat, prefixed, type Refusal, refusalsOf, rest } from "./Refusals.ts"
import { type Sheet, textOf } from "./Sheet.ts"

const shownAtFirst = 50

/**
 * The rows of an import that were not added, each with its reason. Where the file is at hand they can be corrected in
 * place and sent in again; they can be saved as a file too.
 */
export const Refused = (props: {
  readonly record: CampaignImport
  readonly sheet: Sheet | null
  /** Sends corrected rows in. */
  readonly send: (sheet: Sheet) => Promise<void>
}) => {
  const { record, sheet } = props
  const [corrections, setCorrections] = useState<ReadonlyMap<number, string>>(new Map())
  const [most, setMost] = useState(shownAtFirst)
  const sending = useAction(async () => {
    if (sheet !== null) await props.send(corrected(sheet, toMend, corrections))
  })
  const reasons = useAction(async (api) => {
    const stream = await api.recipients.importErrorsStream(record.campaign_id, record.id)
    download("reasons.csv", "text/csv", [await new Response(stream).blob()])
  })
  if (record.rejected_rows === 0) return null

  const all = refusalsOf(record.errors, sheet)
  const repeats = all.filter(({ error }) => isRepeat(error))
  const toMend = all.filter(({ error }) => !isRepeat(error))
  const shown = toMend.slice(0, most)
  const without = prefixed(toMend, "+").size
  const changed = toMend.filter(({ label }) => corrections.has(label)).length
  const header = sheet === null ? "" : (i: number) => sheet.header[i] ?? `column ${i + 1}`

  const correct = ({ at, cells, label, value }: Refusal) =>
    cells === null || header === "" ? (
      <span class="cell">{value === "" ? "–" : value}</span>
    ) : (
      <input
        class="correction"
        aria-label={`${header(at)} of row ${label}`}
        value={corrections.get(label) ?? cells[at] ?? ""}
        onInput={(event) => {
          const next = new Map(corrections)
          const text = event.currentTarget.value
          if (text === (cells[at] ?? "")) next.delete(label)
          else next.set(label, text)
          setCorrections(next)
        }}
      />
    )
  const columns: ReadonlyArray<Column<Refusal>> = [
    { label: "Row", kind: "number", cell: ({ label }) => count(label) },
    { label: "The cell", cell: correct },
    { label: "Why it was refused", kind: "wide", cell: ({ error }) => error },
    ...(sheet === null
      ? []
      : [{ label: "The rest of the row", kind: "wide" as const, cell: (each: Refusal) => rest(sheet, each) }])
  ]
  return (
    <div class="stack">
      {toMend.length > 0 && (
        <>
          {without > 0 && (
            <CountryCode
              numbers={without}
              onApply={(code) => setCorrections(new Map([...corrections, ...prefixed(toMend, code)]))}
            />
          )}
          <Table
            caption="Rows that were refused"
            rows={shown}
            id={({ label }) => String(label)}
            columns={columns}
          />
          {shown.length < toMend.length && (
            <p class="hint">
              {count(shown.length)} of {count(toMend.length)} rows are shown.{" "}
              <button type="button" class="button plain" onClick={() => setMost(most + 200)}>
                Show more
              </button>
            </p>
          )}
        </>
      )}
      {all.length < record.rejected_rows && (
        <p class="hint">
          The first {count(all.length)} of {plural(record.rejected_rows, "refused row")} are listed; the file
          of the reasons has all of them.
        </p>
      )}
      {sheet === null && toMend.length > 0 && (
        <p class="hint">
          Correct these rows in the file and send the file in again: a row that was added is not added twice.
        </p>
      )}
      {sending.error !== null && <Failure error={sending.error} what="The rows were not sent." />}
      {reasons.error !== null && <Failure error={reasons.error} />}
      <div class="actions">
        {sheet !== null && toMend.length > 0 && (
          <>
            <button
              type="button"
              class="button primary"
              disabled={changed === 0 || sending.busy}
              onClick={() => void sending.run()}
            >
              {sending.busy
                ? "Sending…"
                : changed === 0
                  ? "Correct a cell to send its row again"
                  : `Send ${plural(changed, "corrected row")} again`}
            </button>
            <button
              type="button"
              class="button"
              onClick={() =>
                download("refused-rows.csv", "text/csv", [textOf(corrected(sheet, toMend, corrections))])
              }
            >
              Save these rows as CSV
            </button>
          </>
        )}
        <button type="button" class="button" disabled={reasons.busy} onClick={() => void reasons.run()}>
          Save the reasons as CSV
        </button>
      </div>
      {repeats.length > 0 && (
        <Fold title={`Numbers that the list or the campaign has already: ${count(repeats.length)}`}>
          <ul class="notes">
            {repeats.slice(0, 200).map(({ error, label }) => (
              <li key={label} class="second">
                Row {label}: {error}
              </li>
            ))}
          </ul>
        </Fold>
      )}
    </div>
  )
}
