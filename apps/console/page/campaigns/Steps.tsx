import type { Campaign } from "outdial/client"
import { to } from "../router/Location.ts"

export const steps = [
  ["agent", "Agent"],
  ["recipients", "Recipients"],
  ["pace", "Hours and pace"],
  ["simulate", "Simulate"],
  ["start", "Start"]
] as const

export type Step = (typeof steps)[number][0]

export const isStep = (name: string | null): name is Step => steps.some(([each]) => each === name)

/** The address of a step of a campaign that is being set up. */
export const stepAddress = (campaign_id: string, step: Step): string =>
  to(`/campaigns/${campaign_id}/setup`, { step })

/** A campaign of messages cannot be simulated. */
export const afterPace = ({ channel }: Pick<Campaign, "channel">): Step =>
  channel === "voice" ? "simulate" : "start"

/** The steps to a campaign. Before it is stored there is only the first. */
export const Steps = (props: {
  readonly campaign_id: string | null
  readonly channel: Campaign["channel"]
  readonly shown: Step
}) => {
  const { campaign_id, channel } = props
  const own = steps.filter(([step]) => step !== "simulate" || channel === "voice")
  const at = own.findIndex(([step]) => step === props.shown)
  return (
    <nav class="wizard" aria-label="Steps to the campaign">
      <ol>
        {own.map(([step, label], i) => (
          <li key={step} class={i < at ? "done" : undefined}>
            {campaign_id === null ? (
              <span aria-current={i === at ? "step" : undefined}>{label}</span>
            ) : (
              <a href={stepAddress(campaign_id, step)} aria-current={i === at ? "step" : undefined}>
                {label}
              </a>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}
