import type { GetUsageQuery, UsageRow } from "outdial/client"
import { type Filter, Filters } from "../components/Filters.tsx"
import { Empty, Shown } from "../components/States.tsx"
import { type Column, Table } from "../components/Table.tsx"
import { Facts } from "../components/Values.tsx"
import { dayStart } from "../data/Days.ts"
import { count, share } from "../data/Format.ts"
import { useResource } from "../data/Resource.ts"
import { place, to } from "../router/Location.ts"
import { SettingsPage } from "./SettingsPage.tsx"

const filters: ReadonlyArray<Filter> = [
  {
    name: "by",
    label: "By",
    none: "Day",
    options: [
      ["campaign", "Campaign"],
      ["agent", "Agent"]
    ]
  },
  { name: "from", label: "From", type: "date" },
  { name: "to", label: "To", type: "date" }
]

type By = NonNullable<GetUsageQuery["by"]>

const byOf = (text: string | null): By => (text === "campaign" || text === "agent" ? text : "day")

const amounts: ReadonlyArray<Column<UsageRow>> = [
  { label: "Dials", kind: "number", cell: ({ attempts }) => count(attempts) },
  { label: "Answered", kind: "number", cell: ({ attempts, reached }) => share(reached, attempts) },
  { label: "Minutes", kind: "number", cell: ({ minutes }) => count(minutes) },
  { label: "Messages", kind: "number", cell: ({ messages }) => count(messages) },
  { label: "Turns", kind: "number", cell: ({ turns }) => count(turns) },
  { label: "Credits", kind: "number", cell: ({ credits }) => count(credits) }
]

const heads: Readonly<Record<By, string>> = { day: "Day", campaign: "Campaign", agent: "Agent" }

/** What a row stands for: a day of UTC, or a campaign or agent by its name and with the way to it. */
const Key = (props: { readonly by: By; readonly id: string | null; readonly name: string | undefined }) => {
  const { by, id, name } = props
  if (id === null) return <span class="second">Without a {by}</span>
  if (by === "day") return <span class="numeric">{id}</span>
  return <a href={to(`/${by}s/${id}`)}>{name ?? id}</a>
}

export const UsagePage = () => {
  const { query } = place.value
  const by = byOf(query.get("by"))
  const usage = useResource(
    async (api, options) => {
      const [report, named] = await Promise.all([
        api.usage.report(
          { by, from: dayStart(query.get("from")), until: dayStart(query.get("to"), 1) },
          options
        ),
        by === "day"
          ? []
          : by === "agent"
            ? api.agents.list({ limit: 100 }, options).then(({ data }) => data)
            : api.campaigns.list({ limit: 100 }, options).then(({ data }) => data)
      ])
      return { report, names: new Map(named.map(({ id, name }) => [id, name])) }
    },
    [query.toString()]
  )
  return (
    <SettingsPage title="Usage">
      <Filters filters={filters} />
      <Shown resource={usage} what="what was used">
        {({ names, report: { by, data, from, total, until } }) =>
          data.length === 0 ? (
            <Empty title="Nothing was used in this time" />
          ) : (
            <div class="stack">
              <Facts
                facts={[
                  ["Dials", count(total.attempts)],
                  ["Answered by a person", share(total.reached, total.attempts)],
                  ["Minutes of talk", count(total.minutes)],
                  ["Messages", total.messages === 0 ? null : count(total.messages)],
                  ["Credits", count(total.credits)]
                ]}
              />
              <Table
                caption={`Usage by ${by}`}
                rows={data}
                id={({ key }) => key ?? ""}
                columns={[
                  {
                    label: heads[by],
                    cell: ({ key }) => <Key by={by} id={key} name={names.get(key ?? "")} />
                  },
                  ...amounts
                ]}
              />
              <p class="hint">
                From {from.slice(0, 16).replace("T", " ")} until {until.slice(0, 16).replace("T", " ")} UTC,
                in whole hours; days are those of UTC.
              </p>
            </div>
          )
        }
      </Shown>
    </SettingsPage>
  )
}
