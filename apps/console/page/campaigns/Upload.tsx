import type { Campaign, CampaignImport } from "outdial/client"
import { useRef, useState } from "preact/hooks"
import { LongTextField } from "../components/Fields.tsx"
import { Fold } from "../components/Fold.tsx"
import { Failure } from "../components/States.tsx"
import { useAction } from "../data/Action.ts"
import { count, plural } from "../data/Format.ts"
import { Refused } from "./Refused.tsx"
import { fileOf, type Sheet, sheetOf } from "./Sheet.ts"

interface Sent {
  readonly record: CampaignImport
  readonly sheet: Sheet | null
}

const Progress = ({ added, sheet }: { readonly added: number; readonly sheet: Sheet | null }) => (
  <div class="progress" role="status">
    <progress
      aria-label="Rows added"
      {...(sheet !== null && { max: Math.max(1, sheet.rows.length), value: added })}
    />
    <span class="second">
      {count(added)} {sheet === null ? "" : `of ${plural(sheet.rows.length, "row")} `}added so far
    </span>
  </div>
)

/** Sends a list of recipients in, and shows the rows of it that were refused. */
export const Upload = (props: { readonly campaign: Campaign; readonly onAdded: () => void }) => {
  const { id, stats } = props.campaign
  const [sent, setSent] = useState<Sent | null>(null)
  const [underWay, setUnderWay] = useState<{ readonly sheet: Sheet | null; readonly before: number } | null>(
    null
  )
  const [pasted, setPasted] = useState("")
  const input = useRef<HTMLInputElement>(null)

  const sending = useAction(async (api, file: File, known: Sheet | null) => {
    const sheet = known ?? (await sheetOf(file))
    setUnderWay({ sheet, before: stats.total })
    try {
      const { import: record } = await api.recipients.import(id, file)
      setSent({ record, sheet })
      props.onAdded()
    } finally {
      setUnderWay(null)
    }
  })
  const choose = async () => {
    const file = input.current?.files?.[0]
    if (file === undefined) return
    setSent(null)
    await sending.run(file, null)
    if (input.current !== null) input.current.value = ""
  }
  return (
    <div class="stack">
      <div class="card stack form">
        <div class="field">
          <label for="list">A file with the recipients</label>
          <input
            id="list"
            ref={input}
            type="file"
            accept=".csv,.xlsx,text/csv"
            disabled={sending.busy}
            aria-describedby="list-help"
            onChange={() => void choose()}
          />
          <p id="list-help" class="hint">
            CSV or XLSX, at most 5 MB. Its first row names the columns: one is <code>phone_number</code>, with
            a plus and the country code; each other one becomes a variable of that name. It is sent in once it
            is chosen.
          </p>
        </div>
        <Fold title="Paste rows instead">
          <LongTextField
            label="Rows, the first of which names the columns"
            rows={6}
            isCode
            value={pasted}
            onChange={setPasted}
          />
          <div class="actions">
            <button
              type="button"
              class="button"
              disabled={sending.busy || pasted.trim() === ""}
              onClick={() => {
                setSent(null)
                void sending.run(new File([pasted], "pasted.csv", { type: "text/csv" }), null)
              }}
            >
              Send them in
            </button>
          </div>
        </Fold>
      </div>
      {underWay !== null && (
        <Progress added={Math.max(0, stats.total - underWay.before)} sheet={underWay.sheet} />
      )}
      {sending.error !== null && <Failure error={sending.error} what="The list was not taken." />}
      {sent !== null && (
        <section class="stack" aria-label="What came of the list">
          <p role="status">
            <strong>{plural(sent.record.accepted_rows, "recipient")} added.</strong>{" "}
            {sent.record.rejected_rows === 0
              ? "No row was refused."
              : `${plural(sent.record.rejected_rows, "row")} of ${count(sent.record.total_rows)} refused.`}
          </p>
          <Refused
            key={sent.record.id}
            record={sent.record}
            sheet={sent.sheet}
            send={async (sheet) => {
              await sending.run(fileOf(sheet), sheet)
            }}
          />
        </section>
      )}
    </div>
  )
}
