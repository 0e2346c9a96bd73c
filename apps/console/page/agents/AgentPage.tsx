import { useSignal } from "@preact/signals"
import type { Agent } from "outdial/client"
import { useRef } from "preact/hooks"
import { ConfirmButton } from "../components/Confirm.tsx"
import { Page } from "../components/Page.tsx"
import { Failure, Shown } from "../components/States.tsx"
import { useAction } from "../data/Action.ts"
import { useResource } from "../data/Resource.ts"
import { useUnsaved } from "../data/Unsaved.ts"
import { to } from "../router/Location.ts"
import { Publication } from "./AgentList.tsx"
import { changeOf, differing, type Draft, draftOf, placeholdersOf } from "./Draft.ts"
import { Editor } from "./Editor.tsx"
import { Trial } from "./Trial.tsx"
import { Versions } from "./Versions.tsx"

const Workbench = ({ loaded }: { readonly loaded: Agent }) => {
  const agent = useSignal(loaded)
  const draft = useSignal<Draft>(draftOf(loaded))
  const form = useRef<HTMLFormElement>(null)
  const isChanged = differing(agent.value, draft.value).length > 0
  useUnsaved(isChanged)

  const saving = useAction(async (api) => {
    const sent = draft.value
    if (differing(agent.value, sent).length === 0) return
    agent.value = await api.agents.update(agent.value.id, changeOf(agent.value, sent))
    if (draft.value === sent) draft.value = draftOf(agent.value)
  })
  const save = async (): Promise<boolean> => {
    if (form.current?.reportValidity() === false) return false
    await saving.run()
    return differing(agent.value, draft.value).length === 0
  }
  const publishing = useAction(async (api) => {
    if (await save()) agent.value = await api.agents.publish(agent.value.id)
  })
  const withdrawing = useAction(async (api) => {
    agent.value = await api.agents.unpublish(agent.value.id)
  })
  const { first_message, prompt, voicemail } = draft.value
  const error = saving.error ?? publishing.error

  return (
    <Page
      title={agent.value.name}
      aside={<Publication agent={agent.value} />}
      actions={
        <>
          {agent.value.published && (
            <ConfirmButton
              label="Withdraw"
              question="Withdraw this agent? Calls that are dialled from then on fail until it is published again."
              act={withdrawing}
            />
          )}
          <button
            type="button"
            class="button"
            disabled={!isChanged || saving.busy}
            onClick={() => void save()}
          >
            {isChanged ? "Save the draft" : "Saved"}
          </button>
          <button
            type="button"
            class="button primary"
            disabled={
              publishing.busy || (!isChanged && agent.value.published && !agent.value.unpublished_changes)
            }
            onClick={() => void publishing.run()}
          >
            Publish
          </button>
        </>
      }
    >
      {error !== null && <Failure error={error} what="It was not saved." />}
      <div class="workbench">
        <form ref={form} class="card" onSubmit={(event) => event.preventDefault()}>
          <Editor
            draft={draft.value}
            onChange={(part) => {
              draft.value = { ...draft.value, ...part }
            }}
          />
        </form>
        <Trial
          agent_id={agent.value.id}
          language={draft.value.language}
          placeholders={placeholdersOf(prompt, first_message, voicemail.message ?? "")}
          save={save}
        />
      </div>
      <Versions
        agent={agent.value}
        onPublished={(published) => {
          agent.value = published
        }}
      />
      <p>
        <a href={to("/calls", { agent_id: agent.value.id })}>Calls of this agent</a>
        {" · "}
        <a href={to("/tests", { agent_id: agent.value.id })}>Its test suites</a>
      </p>
    </Page>
  )
}

export const AgentPage = ({ params }: { readonly params: { readonly agent_id?: string } }) => {
  const id = params.agent_id!
  const agent = useResource((api, options) => api.agents.get(id, options), [id])
  return agent.data === null ? (
    <Page title="Agent">
      <Shown resource={agent} what="the agent">
        {() => null}
      </Shown>
    </Page>
  ) : (
    <Workbench loaded={agent.data} />
  )
}
