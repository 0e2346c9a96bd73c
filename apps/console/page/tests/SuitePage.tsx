import { useSignal } from "@preact/signals"
import type { TestSuite } from "outdial/client"
import { useRef } from "preact/hooks"
import { ConfirmButton } from "../components/Confirm.tsx"
import { TextField } from "../components/Fields.tsx"
import { Listed } from "../components/Listed.tsx"
import { notify } from "../components/Notice.tsx"
import { Page, Section } from "../components/Page.tsx"
import { Failure, Shown } from "../components/States.tsx"
import { Raw } from "../components/Values.tsx"
import { useAction } from "../data/Action.ts"
import { useAgentNames } from "../data/Agents.ts"
import { useList } from "../data/List.ts"
import { useLive } from "../data/Live.ts"
import { useResource } from "../data/Resource.ts"
import { useUnsaved } from "../data/Unsaved.ts"
import { navigate, to } from "../router/Location.ts"
import { ConfigFields } from "./ConfigFields.tsx"
import { named } from "./Judges.tsx"
import { runAddress, runColumns } from "./RunColumns.tsx"
import { ScenarioFields } from "./ScenarioFields.tsx"

type Draft = Pick<TestSuite, "config" | "name" | "scenarios">

const draftOf = ({ config, name, scenarios }: TestSuite): Draft => ({ config, name, scenarios })

const Runs = ({ suite_id }: { readonly suite_id: string }) => {
  const runs = useList(
    (api, cursor, options) => api.agentTestRuns.list({ ...cursor, suite_id }, options),
    [suite_id]
  )
  useLive(runs.reload, (event) => event.type === "run" && event.record.suite_id === suite_id)
  return (
    <Section title="Runs">
      <Listed
        resource={runs}
        what="runs"
        caption="Runs of the suite, newest first"
        columns={runColumns}
        id={({ id }) => id}
        href={runAddress}
        empty={<p class="hint">None yet.</p>}
      />
    </Section>
  )
}

const Workbench = ({ loaded }: { readonly loaded: TestSuite }) => {
  const suite = useSignal(loaded)
  const draft = useSignal(draftOf(loaded))
  const form = useRef<HTMLFormElement>(null)
  const nameOf = useAgentNames()
  const { id } = loaded
  const isChanged = JSON.stringify(draft.value) !== JSON.stringify(draftOf(suite.value))
  useUnsaved(isChanged)
  const change = (part: Partial<Draft>) => {
    draft.value = { ...draft.value, ...part }
  }

  const saving = useAction(async (api) => {
    const { config, ...others } = draft.value
    suite.value = await api.agentTestSuites.update(id, {
      ...others,
      config: { ...config, judges: named(config.judges) }
    })
    draft.value = draftOf(suite.value)
  })
  /** Whether what is shown is stored. A field that is not right may stand in a fold that is closed. */
  const save = async () => {
    if (form.current?.reportValidity() === false) return false
    return !isChanged || saving.run()
  }
  const running = useAction(async (api) => {
    if (!(await save())) return
    navigate(to(`/tests/runs/${(await api.agentTestRuns.start({ suite_id: id })).id}`))
  })
  const removing = useAction(async (api) => {
    await api.agentTestSuites.remove(id)
    notify("The suite was removed.")
    navigate(to("/tests"))
  })

  return (
    <Page
      title={suite.value.name}
      aside={<a href={to(`/agents/${loaded.agent_id}`)}>{nameOf(loaded.agent_id)}</a>}
      actions={
        <>
          <ConfirmButton
            label="Remove"
            question="Remove this suite? Its runs stay, and those under way go on."
            act={removing}
          />
          <button
            type="button"
            class="button"
            disabled={!isChanged || saving.busy}
            onClick={() => void save()}
          >
            {isChanged ? "Save" : "Saved"}
          </button>
          <button
            type="button"
            class="button primary"
            disabled={running.busy || draft.value.scenarios.length === 0}
            onClick={() => void running.run()}
          >
            Run
          </button>
        </>
      }
    >
      {saving.error !== null && <Failure error={saving.error} what="The suite was not saved." />}
      {running.error !== null && <Failure error={running.error} what="The run did not begin." />}
      <form ref={form} class="workbench" onSubmit={(event) => event.preventDefault()}>
        <section class="stack" aria-labelledby="scenarios">
          <h2 id="scenarios">Scenarios</h2>
          <ScenarioFields scenarios={draft.value.scenarios} onChange={(scenarios) => change({ scenarios })} />
        </section>
        <section class="card stack" aria-labelledby="judging">
          <h2 id="judging">Judging</h2>
          <TextField
            label="Name of the suite"
            required
            value={draft.value.name}
            onChange={(name) => change({ name })}
          />
          <ConfigFields config={draft.value.config} onChange={(config) => change({ config })} />
        </section>
      </form>
      <Runs suite_id={id} />
      <Raw title="The suite's record" value={suite.value} />
      <p>
        <a href={to("/tests")}>All suites</a>
      </p>
    </Page>
  )
}

export const SuitePage = ({ params }: { readonly params: { readonly suite_id?: string } }) => {
  const id = params.suite_id!
  const suite = useResource((api, options) => api.agentTestSuites.get(id, options), [id])
  return suite.data === null ? (
    <Page title="Suite">
      <Shown resource={suite} what="the suite">
        {() => null}
      </Shown>
    </Page>
  ) : (
    <Workbench loaded={suite.data} />
  )
}
