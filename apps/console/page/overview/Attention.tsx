import { type Campaign, type CarrierStates, type Delivery, OutdialError, type Webhook } from "outdial/client"
import type { ComponentChildren } from "preact"
import { Section } from "../components/Page.tsx"
import { Failure } from "../components/States.tsx"
import { count, words } from "../data/Format.ts"
import { useLive } from "../data/Live.ts"
import { useRefresh, useResource } from "../data/Resource.ts"
import { to } from "../router/Location.ts"

/** Credits at which a campaign soon ends. */
const fewCredits = 10

/** How many webhooks, and how many of the newest deliveries of each, are looked at. */
const looked = { webhooks: 20, deliveries: 20 }

const everyMs = 30_000

interface Note {
  readonly id: string
  readonly tone: "warn" | "bad"
  readonly text: ComponentChildren
  /** Where one does something about it. */
  readonly href: string
}

const channels = { voice: "Calls", msg: "Messages" } as const

const ofCarriers = ({ data }: CarrierStates): ReadonlyArray<Note> =>
  data.flatMap(({ channel, status }) =>
    status === "up"
      ? []
      : [
          {
            id: `carrier ${channel}`,
            tone: "bad",
            text: `${channels[channel]} wait: the carrier does not answer. They go on once it does.`,
            href: to("/calls", { status: "queued" })
          }
        ]
  )

const ofCredits = (balance: number): ReadonlyArray<Note> =>
  balance >= fewCredits
    ? []
    : [
        {
          id: "credits",
          tone: balance === 0 ? "bad" : "warn",
          text:
            balance === 0 ? "There are no credits left." : `Credits are running out: ${count(balance)} left.`,
          href: to("/settings/credits")
        }
      ]

const reasons: Readonly<Record<string, string>> = {
  insufficient_credits: "the credits had run out",
  failure_rate: "too many of its calls failed",
  engine_unavailable: "calls could not be placed"
}

const ofCampaigns = (paused: ReadonlyArray<Campaign>): ReadonlyArray<Note> =>
  paused
    .filter(({ status_reason }) => status_reason !== "user")
    .map(({ id, name, status_reason }) => ({
      id,
      tone: "warn",
      text: (
        <>
          The campaign <strong>{name}</strong> is paused:{" "}
          {reasons[status_reason ?? ""] ?? words(status_reason ?? "unknown")}.
        </>
      ),
      href: to(`/campaigns/${id}`)
    }))

/** Whether its last try failed. */
const isFailed = ({ attempts, status }: Delivery) =>
  status === "dead" || (status === "pending" && attempts > 0)

interface Sent {
  readonly webhook: Webhook
  readonly deliveries: ReadonlyArray<Delivery>
}

const ofWebhook = ({ deliveries, webhook }: Sent): ReadonlyArray<Note> => {
  const { disabled_reason, id, url } = webhook
  const failed = deliveries.filter(isFailed)
  const why =
    disabled_reason === "gone"
      ? "was disabled: its receiver answered 410"
      : failed.length === 0
        ? null
        : `fails: ${count(failed.length)} of its newest ${count(deliveries.length)} events were not taken (${failed[0]!.last_error ?? "no answer"})`
  return why === null
    ? []
    : [
        {
          id,
          tone: "warn",
          text: (
            <>
              The webhook <strong>{url}</strong> {why}.
            </>
          ),
          href: to(`/webhooks/${id}`)
        }
      ]
}

/** What is read, or null where the key has not the scope to read it. */
const allowed = <A,>(reading: Promise<A>): Promise<A | null> =>
  reading.catch((error: unknown) => {
    if (error instanceof OutdialError && error.status === 403) return null
    throw error
  })

/** What a person has to do something about; nothing where there is nothing. */
export const Attention = () => {
  const state = useResource(async (api, options) => {
    const [carriers, credits, paused, webhooks] = await Promise.all([
      allowed(api.workspace.carriers(options)),
      allowed(api.credits.balance(options)),
      allowed(api.campaigns.list({ status: "paused", limit: 20 }, options)),
      allowed(api.webhooks.list({ limit: looked.webhooks }, options))
    ])
    const sent = await Promise.all(
      (webhooks?.data ?? [])
        .filter(({ disabled_reason }) => disabled_reason !== "user")
        .map(async (webhook): Promise<Sent> => {
          const { data } = await api.webhooks.deliveries(webhook.id, { limit: looked.deliveries }, options)
          return { webhook, deliveries: data }
        })
    )
    return [
      ...(carriers === null ? [] : ofCarriers(carriers)),
      ...(credits === null ? [] : ofCredits(credits.balance)),
      ...ofCampaigns(paused?.data ?? []),
      ...sent.flatMap(ofWebhook)
    ]
  })
  useRefresh(state.reload, true, everyMs)
  useLive(state.reload, ({ type }) => type === "campaign")
  if (state.error !== null) {
    return <Failure error={state.error} what="What needs attention is not known." retry={state.reload} />
  }
  if (state.data === null || state.data.length === 0) return null
  return (
    <Section title="Needs attention">
      <ul class="notes">
        {state.data.map(({ href, id, text, tone }) => (
          <li key={id} class={`attention ${tone}`}>
            <span>{text}</span> <a href={href}>See to it</a>
          </li>
        ))}
      </ul>
    </Section>
  )
}
