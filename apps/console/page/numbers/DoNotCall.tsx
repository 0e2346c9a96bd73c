import type { DoNotCallEntry } from "outdial/client"
import { ConfirmButton } from "../components/Confirm.tsx"
import { type Filter, Filters } from "../components/Filters.tsx"
import { Listed } from "../components/Listed.tsx"
import { notify } from "../components/Notice.tsx"
import { Page } from "../components/Page.tsx"
import { Empty } from "../components/States.tsx"
import { Time } from "../components/Values.tsx"
import { useAction } from "../data/Action.ts"
import { useList } from "../data/List.ts"
import { place, to } from "../router/Location.ts"
import { NumberTabs } from "./NumberTabs.tsx"
import { bare } from "./Written.ts"

const filters: ReadonlyArray<Filter> = [{ name: "number", label: "Number", hint: "+14155550123" }]

const Remove = (props: { readonly entry: DoNotCallEntry; readonly onDone: () => void }) => {
  const { phone_number } = props.entry
  const removing = useAction(async (api) => {
    await api.doNotCall.remove(phone_number)
    notify(`${phone_number} may be called again.`)
    props.onDone()
  })
  return (
    <ConfirmButton
      label="Take off"
      of={phone_number}
      question={`Take ${phone_number} off the list? It may be called again from then on.`}
      act={removing}
    />
  )
}

export const DoNotCall = () => {
  const sought = place.value.query.get("number")
  const entries = useList((api, cursor, options) =>
    api.doNotCall.list({ ...cursor, phone_number: sought === null ? undefined : bare(sought) }, options)
  )
  const add = (
    <a class="button primary" href={to("/numbers/do-not-call/new")}>
      Add numbers
    </a>
  )
  return (
    <Page title="Numbers" actions={add}>
      <NumberTabs />
      <Filters filters={filters} />
      <Listed
        resource={entries}
        what="numbers"
        caption="Numbers that must not be called, newest first"
        id={({ phone_number }) => phone_number}
        columns={[
          { label: "Number", cell: ({ phone_number }) => <span class="numeric">{phone_number}</span> },
          { label: "Added", kind: "wide", cell: ({ created_at }) => <Time at={created_at} full /> },
          { label: "Acts", kind: "acts", cell: (entry) => <Remove entry={entry} onDone={entries.reload} /> }
        ]}
        empty={
          <Empty title="The list is empty" action={add}>
            Numbers on it are skipped by imports and refused at each dial.
          </Empty>
        }
      />
    </Page>
  )
}
