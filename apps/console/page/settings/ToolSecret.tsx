import { useSignal } from "@preact/signals"
import type { ToolSecret as Secret } from "outdial/client"
import { ConfirmButton } from "../components/Confirm.tsx"
import { Section } from "../components/Page.tsx"
import { Failure } from "../components/States.tsx"
import { Time } from "../components/Values.tsx"
import { useAction } from "../data/Action.ts"

/** What requests to the agents' own tools are signed with: shown when it is asked for, and rotated. */
export const ToolSecret = () => {
  const secret = useSignal<Secret | null>(null)
  const reading = useAction(async (api) => {
    secret.value = await api.workspace.toolSecret()
  })
  const rotating = useAction(async (api) => {
    secret.value = await api.workspace.rotateToolSecret()
  })
  return (
    <Section title="The secret of the agents' tools">
      <div class="card stack form">
        <p class="hint">
          Requests to the tools of agents are signed with it, as Standard Webhooks are: a tool verifies by it
          who asks.
        </p>
        {secret.value !== null && (
          <>
            <code class="lead">{secret.value.secret}</code>
            {secret.value.previous_secret_until !== null && (
              <p class="hint">
                The one before signs beside it until <Time at={secret.value.previous_secret_until} full />
              </p>
            )}
          </>
        )}
        {reading.error !== null && <Failure error={reading.error} />}
        <div class="actions">
          {secret.value === null && (
            <button type="button" class="button" disabled={reading.busy} onClick={() => void reading.run()}>
              Show it
            </button>
          )}
          <ConfirmButton
            label="Rotate it"
            question="Make a new secret? For 24 hours requests are signed with both."
            destroys={false}
            act={rotating}
          />
        </div>
      </div>
    </Section>
  )
}
