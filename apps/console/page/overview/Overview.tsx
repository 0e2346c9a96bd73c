import type { Campaign } from "outdial/client"
import { CallTable } from "../calls/CallTable.tsx"
import { Page, Section } from "../components/Page.tsx"
import { Shown } from "../components/States.tsx"
import { Badge } from "../components/Values.tsx"
import { count, words } from "../data/Format.ts"
import { useLive } from "../data/Live.ts"
import { useResource } from "../data/Resource.ts"
import { to } from "../router/Location.ts"
import { Days } from "./Days.tsx"
import { FirstSteps } from "./FirstSteps.tsx"

const midnight = (): string => new Date(new Date().setHours(0, 0, 0, 0)).toISOString()

const Tile = (props: { readonly label: string; readonly value: string; readonly href?: string }) => (
  <div class="tile">
    <dt>{props.label}</dt>
    <dd>{props.href === undefined ? props.value : <a href={props.href}>{props.value}</a>}</dd>
  </div>
)

const reasons: Readonly<Record<string, string>> = {
  insufficient_credits: "the credits have run out",
  failure_rate: "too many of its calls failed",
  engine_unavailable: "calls cannot be placed at present"
}

/** What a person has to do something about. */
const Attention = (props: { readonly paused: ReadonlyArray<Campaign>; readonly balance: number | null }) => {
  const notes = props.paused
    .filter(({ status_reason }) => status_reason !== "user")
    .map(({ id, name, status_reason }) => ({
      id,
      text: `Campaign ${name} is paused: ${reasons[status_reason ?? ""] ?? words(status_reason ?? "unknown")}`
    }))
  if (props.balance !== null && props.balance < 10) {
    notes.unshift({ id: "credits", text: `Credits are running out: ${count(props.balance)} are left` })
  }
  if (notes.length === 0) return null
  return (
    <Section title="Needs attention">
      <ul class="notes">
        {notes.map(({ id, text }) => (
          <li key={id}>
            <Badge tone="warn">{text}</Badge>
          </li>
        ))}
      </ul>
    </Section>
  )
}

export const Overview = () => {
  const state = useResource(async (api, options) => {
    const number = async (status: "ringing" | "in_progress") =>
      (await api.calls.list({ status, limit: 1 }, options)).pagination.total
    const [recent, today, ringing, talking, credits, paused] = await Promise.all([
      api.calls.list({ limit: 10 }, options),
      api.calls.list({ limit: 1, created_after: midnight() }, options),
      number("ringing"),
      number("in_progress"),
      api.credits.balance(options),
      api.campaigns.list({ status: "paused", limit: 20 }, options)
    ])
    return {
      recent: recent.data,
      today: today.pagination.total,
      underWay: ringing + talking,
      balance: credits.balance,
      paused: paused.data
    }
  })
  useLive(state.reload, ({ type }) => type === "call" || type === "campaign")
  return (
    <Page title="Overview">
      <Shown resource={state} what="the overview">
        {({ balance, paused, recent, today, underWay }) => (
          <>
            <dl class="tiles">
              <Tile
                label="Calls under way"
                value={count(underWay)}
                href={to("/calls", { status: "in_progress" })}
              />
              <Tile label="Calls placed today" value={count(today)} href={to("/calls")} />
              <Tile label="Credits left" value={count(balance)} />
            </dl>
            <Attention paused={paused} balance={balance} />
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
