import type { CampaignProgress, CampaignProgressPoint } from "outdial/client"
import { Chart } from "../components/Chart.tsx"
import type { Drawing } from "../components/Plot.ts"
import { count, share } from "../data/Format.ts"

type Outcome = keyof CampaignProgressPoint["outcomes"]

type Group = readonly [label: string, colour: string, outcomes: ReadonlyArray<Outcome>]

const failed: Group = ["Failed", "--bad", ["failed", "rejected", "unknown", "cancelled"]]

const calls: ReadonlyArray<Group> = [
  ["Answered", "--good", ["answered"]],
  ["Voicemail", "--busy", ["voicemail"]],
  ["No answer", "--warn", ["no_answer"]],
  ["Busy", "--line-strong", ["busy"]],
  failed
]

const messages: ReadonlyArray<Group> = [
  ["Delivered", "--good", ["delivered"]],
  ["Sent", "--busy", ["sent"]],
  failed
]

const ofGroup = ({ outcomes }: CampaignProgressPoint, names: ReadonlyArray<Outcome>): number =>
  names.reduce((sum, name) => sum + (outcomes[name] ?? 0), 0)

const spans = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const

const drawingOf = ({ interval, series }: CampaignProgress, isVoice: boolean): Drawing => ({
  moments: series.map(({ at }) => Date.parse(at)),
  barOf: spans[interval],
  series: (isVoice ? calls : messages).map(([label, colour, outcomes]) => ({
    label,
    colour,
    values: series.map((point) => ofGroup(point, outcomes))
  }))
})

/** How the attempts ended, interval by interval. */
export const OutcomeChart = ({
  isVoice,
  progress
}: {
  readonly progress: CampaignProgress
  readonly isVoice: boolean
}) => {
  const drawing = drawingOf(progress, isVoice)
  const sums = drawing.series.map(({ values }) =>
    values.reduce<number>((sum, value) => sum + (value ?? 0), 0)
  )
  const ended = sums.reduce((sum, value) => sum + value, 0)
  if (ended === 0) return <p class="second">No attempt has ended yet.</p>
  return (
    <Chart
      label={
        `How attempts ended, each ${progress.interval}: ` +
        drawing.series
          .map(({ label }, i) => `${label} ${count(sums[i]!)} (${share(sums[i]!, ended)})`)
          .join(", ")
      }
      drawing={drawing}
      values={sums}
    />
  )
}
