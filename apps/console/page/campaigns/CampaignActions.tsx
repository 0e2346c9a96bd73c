import type { Campaign } from "outdial/client"
import { ConfirmButton } from "../components/Confirm.tsx"
import { Failure } from "../components/States.tsx"
import { useAction } from "../data/Action.ts"
import { download } from "../data/Download.ts"
import { navigate, to } from "../router/Location.ts"

/** What may be done to a campaign now. */
export const CampaignActions = (props: {
  readonly campaign: Campaign
  readonly onChanged: (campaign: Campaign) => void
}) => {
  const { id, name, started_at, status } = props.campaign
  const starting = useAction(async (api) => props.onChanged(await api.campaigns.start(id)))
  const pausing = useAction(async (api) =>
    props.onChanged(await api.campaigns.update(id, { status: "paused" }))
  )
  const cancelling = useAction(async (api) =>
    props.onChanged(await api.campaigns.update(id, { status: "cancelled" }))
  )
  const removing = useAction(async (api) => {
    await api.campaigns.remove(id)
    navigate(to("/campaigns"))
  })
  const exporting = useAction(async (api) => {
    const stream = await api.recipients.resultsStream(id)
    const bytes = await new Response(stream).blob()
    download(`${name.replaceAll(/[^\p{L}\p{N}]+/gu, "-").slice(0, 60)}-results.csv`, "text/csv", [bytes])
  })
  const error = starting.error ?? pausing.error ?? exporting.error
  const runs = status === "running" || status === "scheduled"
  const isOver = status === "completed" || status === "cancelled" || status === "failed"
  return (
    <>
      {error !== null && <Failure error={error} />}
      <button type="button" class="button" disabled={exporting.busy} onClick={() => void exporting.run()}>
        {exporting.busy ? "Exporting…" : "Export the results"}
      </button>
      {status === "draft" && (
        <a class="button" href={to(`/campaigns/${id}/setup`)}>
          Go on setting it up
        </a>
      )}
      {runs && (
        <button type="button" class="button" disabled={pausing.busy} onClick={() => void pausing.run()}>
          Pause
        </button>
      )}
      {(status === "paused" || status === "scheduled") && (
        <button
          type="button"
          class="button primary"
          disabled={starting.busy}
          onClick={() => void starting.run()}
        >
          {started_at === null ? "Start now" : "Resume"}
        </button>
      )}
      {(runs || status === "paused") && (
        <ConfirmButton
          label="Cancel the campaign"
          question="Cancel this campaign for good? The recipients who are left are skipped; calls under way come to their end."
          act={cancelling}
        />
      )}
      {(isOver || status === "draft") && (
        <ConfirmButton
          label="Delete"
          question="Delete this campaign with its recipients and imports? Its calls stay."
          act={removing}
        />
      )}
    </>
  )
}
