import type { ComponentChildren } from "preact"
import { Section } from "../components/Page.tsx"
import { Shown } from "../components/States.tsx"
import { Badge } from "../components/Values.tsx"
import { useResource } from "../data/Resource.ts"
import { to } from "../router/Location.ts"

const Step = (props: {
  readonly done: boolean
  readonly title: string
  readonly children: ComponentChildren
}) => (
  <li class={props.done ? "step done" : "step"}>
    <h3>
      {props.title} {props.done && <Badge tone="good">Done</Badge>}
    </h3>
    <div class="second">{props.children}</div>
  </li>
)

/** What an empty workspace shows: the three steps to a first call. */
export const FirstSteps = () => {
  const state = useResource(async (api, options) => {
    const [agents, numbers] = await Promise.all([
      api.agents.list({ published: true, limit: 1 }, options),
      api.phoneNumbers.list({ limit: 1 }, options)
    ])
    return { agent: agents.data[0] ?? null, number: numbers.data[0] ?? null }
  })
  return (
    <Section title="Three steps to a first call">
      <Shown resource={state} what="what is there already">
        {({ agent, number }) => (
          <ol class="steps card">
            <Step done={agent !== null} title="Publish an agent">
              {agent === null ? (
                <a href={to("/agents/new")}>
                  Write and publish one: it holds the conversation by its prompt.
                </a>
              ) : (
                `${agent.name} is published.`
              )}
            </Step>
            <Step done={number !== null} title="Have a number to call from">
              {number === null ? (
                <a href={to("/numbers/new")}>Add one: calls show it to who is called.</a>
              ) : (
                `Calls come from ${number.number}.`
              )}
            </Step>
            <Step done={false} title="Place a call">
              {agent === null || number === null ? (
                "It needs the two steps before it."
              ) : (
                <a class="button primary" href={to("/calls/new")}>
                  Place the first call
                </a>
              )}
            </Step>
          </ol>
        )}
      </Shown>
    </Section>
  )
}
