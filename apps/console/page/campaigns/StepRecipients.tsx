import { plural } from "../data/Format.ts"
import { useResource } from "../data/Resource.ts"
import { to } from "../router/Location.ts"
import type { StepProps } from "./Setup.tsx"
import { stepAddress } from "./Steps.tsx"
import { Upload } from "./Upload.tsx"

export const StepRecipients = ({ campaign, reload }: StepProps) => {
  const { agent_id, id, stats } = campaign
  const agent = useResource((api, options) => api.agents.get(agent_id, options), [agent_id])
  const columns = Object.values(campaign.template?.variables ?? {}).flatMap((part) =>
    Object.values(part ?? {})
  )
  const names = [...new Set([...columns, ...(agent.data?.placeholders ?? [])])]
  return (
    <div class="stack">
      {names.length > 0 && (
        <p class="second">
          {campaign.template === null ? "The agent's words have" : "The template and the agent's words have"}{" "}
          places to fill, one column each:{" "}
          {names.map((name) => (
            <code key={name} class="name">
              {name}
            </code>
          ))}
        </p>
      )}
      <Upload campaign={campaign} onAdded={reload} />
      <div class="actions">
        {stats.total === 0 ? (
          <p class="hint">The campaign has no recipients yet.</p>
        ) : (
          <>
            <a class="button primary" href={stepAddress(id, "pace")}>
              Go on with {plural(stats.total, "recipient")}
            </a>
            <a class="button" href={to(`/campaigns/${id}/recipients`)}>
              See them
            </a>
          </>
        )}
      </div>
    </div>
  )
}
