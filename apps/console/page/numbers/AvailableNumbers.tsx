import type { AvailableNumber } from "outdial/client"
import { type Filter, Filters } from "../components/Filters.tsx"
import { notify } from "../components/Notice.tsx"
import { Page } from "../components/Page.tsx"
import { Empty, Failure, Shown } from "../components/States.tsx"
import { type Column, Table } from "../components/Table.tsx"
import { Badge } from "../components/Values.tsx"
import { useAction } from "../data/Action.ts"
import { plural } from "../data/Format.ts"
import { useResource } from "../data/Resource.ts"
import { place } from "../router/Location.ts"
import { countries, countryName } from "./Countries.ts"
import { NumberTabs } from "./NumberTabs.tsx"

/** As many as the interface lists at once. */
const most = 100

const filters: ReadonlyArray<Filter> = [
  { name: "country", label: "Country", options: countries },
  { name: "digits", label: "Contains", hint: "+1415 or 555" }
]

const Add = (props: { readonly number: string; readonly isOwn: boolean; readonly onDone: () => void }) => {
  const { number } = props
  const adding = useAction(async (api) => {
    await api.phoneNumbers.add({ number })
    notify(`${number} was added.`)
    props.onDone()
  })
  if (props.isOwn) return <Badge tone="good">Yours</Badge>
  return (
    <>
      <button type="button" class="button" disabled={adding.busy} onClick={() => void adding.run()}>
        Add<span class="visually-hidden"> {number}</span>
      </button>
      {adding.error !== null && <Failure error={adding.error} />}
    </>
  )
}

export const AvailableNumbers = () => {
  const { query } = place.value
  const found = useResource(
    async (api, options) => {
      const wanted = {
        limit: most,
        country: query.get("country") ?? undefined,
        search: query.get("digits") ?? undefined
      }
      const [available, own] = await Promise.all([
        api.phoneNumbers.available(wanted, options),
        api.phoneNumbers.list({ limit: 100 }, options)
      ])
      return { available: available.data, own: new Set(own.data.map(({ number }) => number)) }
    },
    [query.toString()]
  )
  const columnsOf = (own: ReadonlySet<string>): ReadonlyArray<Column<AvailableNumber>> => [
    { label: "Number", cell: ({ number }) => <span class="numeric">{number}</span> },
    { label: "Country", cell: ({ country }) => countryName(country) },
    { label: "Region", kind: "wide", cell: ({ region }) => region },
    {
      label: "Setup",
      kind: "number",
      cell: ({ currency, setup_price }) => `${setup_price} ${currency}`
    },
    {
      label: "Per month",
      kind: "number",
      cell: ({ currency, monthly_price }) => `${monthly_price} ${currency}`
    },
    {
      label: "Acts",
      kind: "acts",
      cell: ({ number }) => <Add number={number} isOwn={own.has(number)} onDone={found.reload} />
    }
  ]
  return (
    <Page title="Numbers">
      <NumberTabs />
      <Filters filters={filters} />
      <p class="hint lead">
        Adding a number lets the workspace dial from it. It is not bought here: buy it at the carrier first.
      </p>
      <Shown resource={found} what="numbers">
        {({ available, own }) =>
          available.length === 0 ? (
            <Empty title="No number passes these filters" />
          ) : (
            <>
              <Table
                caption="Numbers that could be bought"
                rows={available}
                id={({ number }) => number}
                columns={columnsOf(own)}
              />
              <p class="pager">
                {available.length === most
                  ? `The first ${most}. Filter to see others.`
                  : plural(available.length, "number")}
              </p>
            </>
          )
        }
      </Shown>
    </Page>
  )
}
