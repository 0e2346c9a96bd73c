import type { Campaign } from "outdial/client"
import { Progress } from "../components/Progress.tsx"
import { count, share } from "../data/Format.ts"
import { doneOf } from "./Words.ts"

const Tile = (props: { readonly label: string; readonly value: string; readonly hint?: string }) => (
  <div class="tile">
    <dt>{props.label}</dt>
    <dd>
      {props.value}
      {props.hint !== undefined && <span class="hint"> {props.hint}</span>}
    </dd>
  </div>
)

/** How far it has come, by its counters. */
export const Summary = ({ campaign }: { readonly campaign: Campaign }) => {
  const { channel, stats } = campaign
  const isVoice = channel === "voice"
  return (
    <div class="stack">
      <Progress label="Recipients who are done" part={doneOf(stats)} whole={stats.total} />
      <dl class="tiles">
        <Tile label={isVoice ? "Under way" : "Being sent"} value={count(stats.in_progress)} />
        <Tile label="Waiting" value={count(stats.pending)} />
        <Tile label="To be retried" value={count(stats.retry_scheduled)} />
        <Tile
          label={isVoice ? "Dials answered" : "Messages sent"}
          value={count(stats.answered)}
          hint={`of ${count(stats.attempts)} (${share(stats.answered, stats.attempts)})`}
        />
        <Tile label="Completed" value={count(stats.completed)} />
        <Tile label="Failed" value={count(stats.failed)} />
        {stats.skipped > 0 && <Tile label="Skipped" value={count(stats.skipped)} />}
      </dl>
    </div>
  )
}
