import type { UsageRow } from "outdial/client"
import { Section } from "../components/Page.tsx"
import { Shown } from "../components/States.tsx"
import { count, share } from "../data/Format.ts"
import { useLive } from "../data/Live.ts"
import { useResource } from "../data/Resource.ts"

const shownDays = 14
const dayMillis = 86_400_000

const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10)

/** The days up to today, as the interface counts them, those without a call included. */
const lastDays = (rows: ReadonlyArray<UsageRow>, now: number) =>
  Array.from({ length: shownDays }, (_, i) => {
    const key = dayOf(now - (shownDays - 1 - i) * dayMillis)
    return { key, row: rows.find((row) => row.key === key) ?? null }
  })

const measures = [
  ["Dials", ({ attempts }: UsageRow) => attempts],
  ["Minutes", ({ minutes }: UsageRow) => minutes],
  ["Credits", ({ credits }: UsageRow) => credits]
] as const

const Chart = (props: {
  readonly label: string
  readonly days: ReturnType<typeof lastDays>
  readonly valueOf: (row: UsageRow) => number
}) => {
  const values = props.days.map(({ key, row }) => ({ key, value: row === null ? 0 : props.valueOf(row) }))
  const most = Math.max(1, ...values.map(({ value }) => value))
  return (
    <figure class="tile chart">
      <figcaption>
        {props.label} <span class="second">today</span> <strong>{count(values.at(-1)!.value)}</strong>
      </figcaption>
      <ol class="bars">
        {values.map(({ key, value }) => (
          <li key={key} title={`${key}: ${count(value)}`} style={{ height: `${(value / most) * 100}%` }}>
            <span class="visually-hidden">
              {key}: {count(value)}
            </span>
          </li>
        ))}
      </ol>
    </figure>
  )
}

/** What the workspace has used, day by day. */
export const Days = () => {
  const usage = useResource((api, options) => {
    const from = `${dayOf(Date.now() - (shownDays - 1) * dayMillis)}T00:00:00Z`
    return api.usage.report({ by: "day", from }, options)
  })
  useLive(usage.reload, ({ type }) => type === "call")
  return (
    <Section title={`The last ${shownDays} days`} aside={<span class="hint">Days in UTC</span>}>
      <Shown resource={usage} what="what was used">
        {({ data, total }) => (
          <>
            <div class="tiles">
              {measures.map(([label, valueOf]) => (
                <Chart key={label} label={label} days={lastDays(data, Date.now())} valueOf={valueOf} />
              ))}
            </div>
            <p class="hint">
              {share(total.reached, total.attempts)} of {count(total.attempts)} dials were answered by a
              person.
            </p>
          </>
        )}
      </Shown>
    </Section>
  )
}
