import type { TestRun, TestRunSummary } from "outdial/client"
import { ConfirmButton } from "../components/Confirm.tsx"
import { ChoiceField } from "../components/Fields.tsx"
import { Page } from "../components/Page.tsx"
import { Progress } from "../components/Progress.tsx"
import { Empty, Failure, Shown } from "../components/States.tsx"
import { type Fact, Facts, Raw, Status, Time } from "../components/Values.tsx"
import { useAction } from "../data/Action.ts"
import { useAgentNames } from "../data/Agents.ts"
import { count, shortTime } from "../data/Format.ts"
import { useRefresh, useResource } from "../data/Resource.ts"
import { navigate, place, to } from "../router/Location.ts"
import { Matrix } from "./Matrix.tsx"
import { Plays } from "./Plays.tsx"
import { PlayView } from "./PlayView.tsx"
import { countsOf, scoreOf } from "./RunColumns.tsx"
import { chosenOf, isOpen, judgesOf, playOf, rowsOf } from "./Verdicts.ts"

export const runFacts = (run: TestRunSummary, agent: string): ReadonlyArray<Fact> => [
  ["Score", scoreOf(run)],
  ["Plays", countsOf(run)],
  ["Error", run.error],
  ["Agent", <a href={to(`/agents/${run.agent_id}`)}>{agent}</a>],
  ["Credits", count(run.credits_used)],
  ["Begun", <Time at={run.started_at} full />],
  ["Ended", run.completed_at === null ? null : <Time at={run.completed_at} full />]
]

/** The other runs of a suite, one of which is shown beside this one. */
const CompareWith = ({ run }: { readonly run: TestRunSummary }) => {
  const { data } = useResource(
    (api, options) => api.agentTestRuns.list({ suite_id: run.suite_id, limit: 50 }, options),
    [run.suite_id]
  )
  const others = (data?.data ?? []).filter(({ id }) => id !== run.id)
  if (others.length === 0) return null
  return (
    <div class="form">
      <ChoiceField
        label="Compare with another run of the suite"
        options={[
          ["", "Choose one"],
          ...others.map((other): readonly [string, string] => [
            other.id,
            `${shortTime(other.created_at)}, score ${scoreOf(other)}`
          ])
        ]}
        value=""
        onChange={(id) => {
          const [left, right] = id < run.id ? [id, run.id] : [run.id, id]
          navigate(to("/tests/compare", { left, right }))
        }}
      />
    </div>
  )
}

const Results = ({ run }: { readonly run: TestRun }) => {
  const { query } = place.value
  const rows = rowsOf(run.results)
  const chosen = chosenOf(rows, query)
  if (chosen === undefined) return <Empty title="Nothing is played yet" />
  const play = playOf(chosen, query)
  return (
    <div class="stack">
      <Matrix rows={rows} judges={judgesOf(run.results)} chosen={chosen.label} />
      <Plays label={chosen.label} count={chosen.plays.length} play={play}>
        <PlayView play={chosen.plays[play]!} />
      </Plays>
    </div>
  )
}

/** A run of more plays is read less often: each reading has all that was said. */
const manyPlays = 100

export const RunPage = ({ params }: { readonly params: { readonly run_id?: string } }) => {
  const id = params.run_id!
  const nameOf = useAgentNames()
  const found = useResource((api, options) => api.agentTestRuns.get(id, options), [id])
  const run = found.data
  const open = run !== null && isOpen(run)
  useRefresh(found.reload, open, run !== null && run.counts.total > manyPlays ? 5_000 : 1_000)
  const cancelling = useAction(async (api) => {
    await api.agentTestRuns.cancel(id)
    found.reload()
  })
  const repeating = useAction(async (api) => {
    const begun = await api.agentTestRuns.start({ suite_id: run!.suite_id })
    navigate(to(`/tests/runs/${begun.id}`))
  })
  return (
    <Page
      title={run === null ? "Run" : `Run of ${shortTime(run.created_at)}`}
      aside={run === null ? null : <Status value={run.status} />}
      actions={
        run === null ? undefined : open ? (
          <ConfirmButton
            label="Cancel the run"
            question="Cancel this run? Plays that are not finished count as errored."
            act={cancelling}
          />
        ) : (
          <button type="button" class="button" disabled={repeating.busy} onClick={() => void repeating.run()}>
            Run it again
          </button>
        )
      }
    >
      {repeating.error !== null && <Failure error={repeating.error} what="The run did not begin." />}
      <Shown resource={found} what="the run">
        {(run) => (
          <div class="stack">
            {open && (
              <Progress
                label="Plays that are over"
                part={run.counts.passed + run.counts.failed + run.counts.errored}
                whole={run.counts.total}
              />
            )}
            <Facts facts={runFacts(run, nameOf(run.agent_id))} />
            {!open && <CompareWith run={run} />}
            <Results run={run} />
            <Raw title="The run's record" value={run} />
            <p>
              <a href={to(`/tests/${run.suite_id}`)}>The suite</a>
            </p>
          </div>
        )}
      </Shown>
    </Page>
  )
}
