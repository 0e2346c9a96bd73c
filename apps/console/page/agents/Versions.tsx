import type { Agent, AgentVersion } from "outdial/client"
import { useState } from "preact/hooks"
import { ConfirmButton } from "../components/Confirm.tsx"
import { Section } from "../components/Page.tsx"
import { Shown } from "../components/States.tsx"
import { Badge, Time } from "../components/Values.tsx"
import { useAction } from "../data/Action.ts"
import { words } from "../data/Format.ts"
import { useResource } from "../data/Resource.ts"
import { differing, type Draft, textOf } from "./Draft.ts"

/** Lines of one text that the other does not have: those taken away, and those added. */
const linesApart = (before: string, after: string) => {
  const old = new Set(before.split("\n"))
  const fresh = new Set(after.split("\n"))
  return {
    removed: [...old].filter((line) => !fresh.has(line)),
    added: [...fresh].filter((line) => !old.has(line))
  }
}

/** What is different in a draft from a version. */
const Difference = ({ draft, version }: { readonly version: Draft; readonly draft: Draft }) => {
  const fields = differing(version, draft)
  if (fields.length === 0) return <p class="hint">The draft is the same.</p>
  return (
    <dl class="difference">
      {fields.map((field) => {
        const { added, removed } = linesApart(textOf(version, field), textOf(draft, field))
        return (
          <div key={field}>
            <dt>{words(field)}</dt>
            {removed.map((line, i) => (
              <dd key={`old ${i}`}>
                <del>{line}</del>
              </dd>
            ))}
            {added.map((line, i) => (
              <dd key={`new ${i}`}>
                <ins>{line}</ins>
              </dd>
            ))}
          </div>
        )
      })}
    </dl>
  )
}

const Version = (props: {
  readonly agent: Agent
  readonly version: AgentVersion
  readonly onPublished: (agent: Agent) => void
}) => {
  const { agent, version } = props
  const [open, setOpen] = useState(false)
  const publishing = useAction(async (api) => {
    props.onPublished(await api.agents.publishVersion(agent.id, String(version.version)))
  })
  const isCurrent = agent.published && agent.version === version.version
  return (
    <li>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          Version {version.version}, <Time at={version.published_at} />{" "}
          {isCurrent && <Badge tone="good">Calls use it</Badge>}
        </summary>
        {open && (
          <div class="stack inner">
            <p class="hint">What the draft has otherwise:</p>
            <Difference version={version.agent} draft={agent} />
            {!isCurrent && (
              <div class="actions">
                <ConfirmButton
                  label={`Publish version ${version.version}`}
                  question={`Have calls use version ${version.version} from now on? The draft stays as it is.`}
                  act={publishing}
                />
              </div>
            )}
          </div>
        )}
      </details>
    </li>
  )
}

export const Versions = ({
  agent,
  onPublished
}: {
  readonly agent: Agent
  readonly onPublished: (agent: Agent) => void
}) => {
  const versions = useResource(
    (api, options) => api.agents.versions(agent.id, { limit: 50 }, options),
    [agent.id, agent.version]
  )
  return (
    <Section title="Versions">
      <Shown resource={versions} what="versions">
        {({ data }) =>
          data.length === 0 ? (
            <p class="hint">None yet: publishing makes one.</p>
          ) : (
            <ul class="deliveries">
              {data.map((version) => (
                <Version key={version.version} agent={agent} version={version} onPublished={onPublished} />
              ))}
            </ul>
          )
        }
      </Shown>
    </Section>
  )
}
