import type { CampaignImport } from "outdial/client"
import { useRef, useState } from "preact/hooks"
import { Fold } from "../components/Fold.tsx"
import { notify } from "../components/Notice.tsx"
import { Section } from "../components/Page.tsx"
import { Pager } from "../components/Pager.tsx"
import { Empty, Shown } from "../components/States.tsx"
import { Status, Time } from "../components/Values.tsx"
import { plural } from "../data/Format.ts"
import { useList } from "../data/List.ts"
import { api } from "../session/Session.ts"
import { CampaignFrame, type CampaignParams, type CampaignProps } from "./CampaignFrame.tsx"
import { Refused } from "./Refused.tsx"
import { fileOf, type Sheet, sheetOf } from "./Sheet.ts"
import { Upload } from "./Upload.tsx"
import { isOpen } from "./Words.ts"

/** The refused rows of an earlier import. Its file is asked for, since the server keeps reasons and not rows. */
const Earlier = (props: { readonly record: CampaignImport; readonly onSent: () => void }) => {
  const { record } = props
  const [sheet, setSheet] = useState<Sheet | null>(null)
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      {sheet === null && (
        <div class="field form">
          <label for={`file-${record.id}`}>Choose {record.filename} again to correct its rows here</label>
          <input
            id={`file-${record.id}`}
            ref={input}
            type="file"
            accept=".csv,text/csv"
            onChange={async () => {
              const file = input.current?.files?.[0]
              if (file !== undefined) setSheet(await sheetOf(file))
            }}
          />
        </div>
      )}
      <Refused
        record={record}
        sheet={sheet}
        send={async (sheet) => {
          await api().recipients.import(record.campaign_id, fileOf(sheet))
          notify("The rows were sent. The newest list tells what came of them.")
          props.onSent()
        }}
      />
    </>
  )
}

/** The lists that were sent in, with the rows of each that were refused. */
const Imports = ({ campaign, reload }: CampaignProps) => {
  const imports = useList(
    (api, cursor, options) => api.recipients.imports(campaign.id, cursor, options),
    [campaign.id]
  )
  const added = () => {
    imports.reload()
    reload()
  }
  return (
    <>
      {isOpen(campaign) && (
        <Section title="Send in another list">
          <Upload campaign={campaign} onAdded={added} />
        </Section>
      )}
      <Section title="Lists sent in">
        <Shown resource={imports} what="the lists">
          {(slice) =>
            slice.data.length === 0 ? (
              <Empty title="No list was sent in yet" />
            ) : (
              <>
                <ul class="notes wide">
                  {slice.data.map((record) => (
                    <li key={record.id} class="card stack">
                      <p>
                        <strong>{record.filename}</strong> <Status value={record.status} />{" "}
                        <span class="second">
                          <Time at={record.created_at} />, {plural(record.accepted_rows, "recipient")} added,{" "}
                          {plural(record.rejected_rows, "row")} refused
                        </span>
                      </p>
                      {record.rejected_rows > 0 && (
                        <Fold title="The refused rows">
                          <Earlier record={record} onSent={added} />
                        </Fold>
                      )}
                    </li>
                  ))}
                </ul>
                <Pager slice={slice} id={({ id }) => id} />
              </>
            )
          }
        </Shown>
      </Section>
    </>
  )
}

export const ImportList = ({ params }: CampaignParams) => (
  <CampaignFrame params={params}>{(props) => <Imports {...props} />}</CampaignFrame>
)
