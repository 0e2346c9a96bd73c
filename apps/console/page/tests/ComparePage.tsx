import type { TestRun } from "outdial/client"
import { Page } from "../components/Page.tsx"
import { Empty, Shown } from "../components/States.tsx"
import { type Column, Table } from "../components/Table.tsx"
import { Badge, Facts, Status } from "../components/Values.tsx"
import { useAgentNames } from "../data/Agents.ts"
import { shortTime, words } from "../data/Format.ts"
import { useRefresh, useResource } from "../data/Resource.ts"
import { place, to } from "../router/Location.ts"
import { Verdicts } from "./Matrix.tsx"
import { playAddress, Plays } from "./Plays.tsx"
import { PlayView } from "./PlayView.tsx"
import { runAddress } from "./RunColumns.tsx"
import { runFacts } from "./RunPage.tsx"
import { isOpen, judgesOf, type Row, rowsOf, shareOf, verdictsOf } from "./Verdicts.ts"

/** One scenario in both runs; without plays in a run that does not have it. */
interface Pair {
  readonly label: string
  readonly left: Row
  readonly right: Row
}

const pairsOf = (left: TestRun, right: TestRun): ReadonlyArray<Pair> => {
  const [before, after] = [rowsOf(left.results), rowsOf(right.results)]
  const labels = new Set([...before, ...after].map(({ label }) => label))
  const rowOf = (rows: ReadonlyArray<Row>, label: string) =>
    rows.find((row) => row.label === label) ?? { label, plays: [] }
  return [...labels].map((label) => ({ label, left: rowOf(before, label), right: rowOf(after, label) }))
}

/** How much better the verdicts are on the right; null where a run has none. */
const gainOf = ({ left, right }: Pair, judge: string): number | null => {
  const [before, after] = [shareOf(verdictsOf(left, judge)), shareOf(verdictsOf(right, judge))]
  return before === null || after === null ? null : after - before
}

const Change = ({ judge, pair }: { readonly pair: Pair; readonly judge: string }) => {
  const gain = gainOf(pair, judge) ?? 0
  return (
    <span class="change">
      <Verdicts row={pair.left} judge={judge} />
      <span aria-hidden="true">→</span>
      <span class="visually-hidden">became</span>
      <Verdicts row={pair.right} judge={judge} />
      {gain > 0 && <Badge tone="good">▲ better</Badge>}
      {gain < 0 && <Badge tone="bad">▼ worse</Badge>}
    </span>
  )
}

const Side = ({
  pair,
  play,
  side
}: {
  readonly pair: Pair
  readonly play: number
  readonly side: "left" | "right"
}) => {
  const shown = pair[side].plays[play]
  return (
    <section class="stack" aria-label={side === "left" ? "Before" : "After"}>
      <h3>{side === "left" ? "Before" : "After"}</h3>
      {shown === undefined ? <p class="hint">This run has no such play.</p> : <PlayView play={shown} />}
    </section>
  )
}

const Summary = ({
  agent,
  run,
  title
}: {
  readonly run: TestRun
  readonly title: string
  readonly agent: string
}) => (
  <section class="card stack" aria-label={title}>
    <h2>
      {title}: <a href={runAddress(run)}>run of {shortTime(run.created_at)}</a> <Status value={run.status} />
    </h2>
    <Facts facts={runFacts(run, agent)} />
  </section>
)

const Compared = ({ left, right }: { readonly left: TestRun; readonly right: TestRun }) => {
  const { query } = place.value
  const nameOf = useAgentNames()
  const judges = judgesOf([...left.results, ...right.results])
  const pairs = pairsOf(left, right)
  const isWorse = (pair: Pair) => judges.some((judge) => (gainOf(pair, judge) ?? 0) < 0)
  const chosen = pairs.find(({ label }) => label === query.get("scenario")) ?? pairs.find(isWorse) ?? pairs[0]
  const columns: ReadonlyArray<Column<Pair>> = [
    { label: "Scenario", cell: ({ label }) => label },
    ...judges.map((judge) => ({
      label: words(judge),
      cell: (pair: Pair) => <Change pair={pair} judge={judge} />
    }))
  ]
  const plays = chosen === undefined ? 0 : Math.max(chosen.left.plays.length, chosen.right.plays.length)
  const play = Math.min(Math.max(1, Number(query.get("play")) || 1), Math.max(1, plays)) - 1
  return (
    <div class="stack">
      <div class="halves">
        <Summary title="Before" run={left} agent={nameOf(left.agent_id)} />
        <Summary title="After" run={right} agent={nameOf(right.agent_id)} />
      </div>
      {chosen === undefined ? (
        <Empty title="Neither run has played anything" />
      ) : (
        <>
          <Table
            caption="Scenarios and what became of each judge's verdict"
            columns={columns}
            rows={pairs}
            id={({ label }) => label}
            href={({ label }) => playAddress(label, 0)}
            isCurrent={({ label }) => label === chosen.label}
          />
          <Plays label={chosen.label} count={plays} play={play}>
            <div class="halves">
              <Side pair={chosen} play={play} side="left" />
              <Side pair={chosen} play={play} side="right" />
            </div>
          </Plays>
        </>
      )}
    </div>
  )
}

/** Two runs side by side, which the address names. */
export const ComparePage = () => {
  const { query } = place.value
  const [left, right] = [query.get("left") ?? "", query.get("right") ?? ""]
  const found = useResource(
    (api, options) =>
      Promise.all([api.agentTestRuns.get(left, options), api.agentTestRuns.get(right, options)]),
    [left, right]
  )
  useRefresh(found.reload, found.data?.some(isOpen) === true)
  const suite = found.data?.[1].suite_id
  return (
    <Page
      title="Two runs"
      actions={
        <a class="button" href={to("/tests/compare", { left: right, right: left })}>
          Swap them
        </a>
      }
    >
      <Shown resource={found} what="the runs">
        {([before, after]) => <Compared left={before} right={after} />}
      </Shown>
      {suite !== undefined && (
        <p class="after">
          <a href={to(`/tests/${suite}`)}>The suite</a>
        </p>
      )}
    </Page>
  )
}
