import { useSignal } from "@preact/signals"
import { MomentField } from "../components/Fields.tsx"
import { Failure } from "../components/States.tsx"
import { Facts } from "../components/Values.tsx"
import { useAction } from "../data/Action.ts"
import { useAgentNames } from "../data/Agents.ts"
import { count, plural, zone } from "../data/Format.ts"
import { useResource } from "../data/Resource.ts"
import { navigate, to } from "../router/Location.ts"
import type { StepProps } from "./Setup.tsx"
import { stepAddress } from "./Steps.tsx"
import { configOf, windowOf } from "./Window.ts"

const cap = (value: number | null) => (value === null ? "as the workspace may" : count(value))

export const StepStart = ({ campaign, onChanged }: StepProps) => {
  const { calls_per_minute, id, max_concurrency, stats } = campaign
  const isVoice = campaign.channel === "voice"
  const nameOf = useAgentNames()
  const credits = useResource((api, options) => api.credits.balance(options))
  const at = useSignal("")
  const starting = useAction(async (api) => {
    onChanged(await api.campaigns.start(id))
    navigate(to(`/campaigns/${id}`))
  })
  const planning = useAction(async (api) => {
    onChanged(await api.campaigns.update(id, { scheduled_for: new Date(at.value).toISOString() }))
    navigate(to(`/campaigns/${id}`))
  })
  const error = starting.error ?? planning.error
  const retries = configOf(campaign).call_retry_config?.retry_count ?? 0
  return (
    <div class="stack">
      <div class="card">
        <Facts
          facts={[
            ["Agent", nameOf(campaign.agent_id)],
            ["Recipients", count(stats.total)],
            [
              "On the do-not-call list",
              stats.skipped === 0 ? null : `${count(stats.skipped)}, who are not called`
            ],
            [isVoice ? "Calling window" : "Hours", windowOf(campaign)],
            ["Public holidays", campaign.skip_public_holidays ? "Skipped, by the recipient's country" : null],
            [isVoice ? "Calls at one time" : "Messages at one time", cap(max_concurrency)],
            [isVoice ? "Calls a minute" : "Messages a minute", cap(calls_per_minute)],
            ["Further tries", count(retries)],
            ["Credits left", credits.data === null ? null : count(credits.data.balance)]
          ]}
        />
      </div>
      {error !== null && <Failure error={error} what="It was not started." />}
      {stats.pending === 0 ? (
        <p class="note warn">
          It has no recipients who wait. <a href={stepAddress(id, "recipients")}>Send in a list first.</a>
        </p>
      ) : (
        <div class="card stack form">
          <div>
            <button
              type="button"
              class="button primary"
              disabled={starting.busy}
              onClick={() => void starting.run()}
            >
              {starting.busy
                ? "Starting…"
                : `Start ${isVoice ? "calling" : "writing to"} ${plural(stats.pending, "recipient")} now`}
            </button>
          </div>
          <form
            class="inline"
            onSubmit={(event) => {
              event.preventDefault()
              void planning.run()
            }}
          >
            <MomentField
              label={`Or start by itself at (${zone})`}
              required
              value={at.value}
              onChange={(value) => (at.value = value)}
            />
            <button class="button" type="submit" disabled={planning.busy}>
              Plan it
            </button>
          </form>
        </div>
      )}
    </div>
  )
}
