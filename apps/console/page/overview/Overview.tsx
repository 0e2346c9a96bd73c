import { CallTable } from "../calls/CallTable.tsx"
import { Page, Section } from "../components/Page.tsx"
import { Shown } from "../components/States.tsx"
import { count } from "../data/Format.ts"
import { useLive } from "../data/Live.ts"
import { useResource } from "../data/Resource.ts"
import { to } from "../router/Location.ts"
import { Attention } from "./Attention.tsx"
import { Days } from "./Days.tsx"
import { FirstSteps } from "./FirstSteps.tsx"

const midnight = (): string => new Date(new Date().setHours(0, 0, 0, 0)).toISOString()

const Tile = (props: { readonly label: string; readonly value: string; readonly href?: string }) => (
  <div class="tile">
    <dt>{props.label}</dt>
    <dd>{props.href === undefined ? props.value : <a href={props.href}>{props.value}</a>}</dd>
  </div>
)

export const Overview = () => {
  const state = useResource(async (api, options) => {
    const number = async (status: "ringing" | "in_progress") =>
      (await api.calls.list({ status, limit: 1 }, options)).pagination.total
    const [recent, today, ringing, talking, credits] = await Promise.all([
      api.calls.list({ limit: 10 }, options),
      api.calls.list({ limit: 1, created_after: midnight() }, options),
      number("ringing"),
      number("in_progress"),
      api.credits.balance(options)
    ])
    return {
      recent: recent.data,
      today: today.pagination.total,
      underWay: ringing + talking,
      balance: credits.balance
    }
  })
  useLive(state.reload, ({ type }) => type === "call")
  return (
    <Page title="Overview">
      <Attention />
      <Shown resource={state} what="the overview">
        {({ balance, recent, today, underWay }) => (
          <>
            <dl class="tiles">
              <Tile
                label="Calls under way"
                value={count(underWay)}
                href={to("/calls", { status: "in_progress" })}
              />
              <Tile label="Calls placed today" value={count(today)} href={to("/calls")} />
              <Tile label="Credits left" value={count(balance)} href={to("/settings/credits")} />
            </dl>
            {recent.length === 0 ? (
              <FirstSteps />
            ) : (
              <>
                <Days />
                <Section title="Latest calls" aside={<a href={to("/calls")}>All calls</a>}>
                  <CallTable calls={recent} caption="The latest calls" />
                </Section>
              </>
            )}
          </>
        )}
      </Shown>
    </Page>
  )
}
