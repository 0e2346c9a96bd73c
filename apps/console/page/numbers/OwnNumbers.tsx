import type { PhoneNumber } from "outdial/client"
import { useState } from "preact/hooks"
import { ConfirmButton } from "../components/Confirm.tsx"
import { Listed } from "../components/Listed.tsx"
import { notify } from "../components/Notice.tsx"
import { Page } from "../components/Page.tsx"
import { Empty } from "../components/States.tsx"
import { Time } from "../components/Values.tsx"
import { useAction } from "../data/Action.ts"
import { useList } from "../data/List.ts"
import { to } from "../router/Location.ts"
import { Label } from "./Label.tsx"
import { NumberTabs } from "./NumberTabs.tsx"

const Release = (props: { readonly number: PhoneNumber; readonly onDone: () => void }) => {
  const { id, number } = props.number
  const releasing = useAction(async (api) => {
    await api.phoneNumbers.remove(id)
    notify(`${number} was released.`)
    props.onDone()
  })
  return (
    <ConfirmButton
      label="Release"
      of={number}
      question={`Release ${number}? Calls that wait to be dialled from it fail.`}
      act={releasing}
    />
  )
}

export const OwnNumbers = () => {
  const numbers = useList((api, cursor, options) => api.phoneNumbers.list(cursor, options))
  const [edited, setEdited] = useState<string | null>(null)
  const add = (
    <a class="button primary" href={to("/numbers/new")}>
      Add a number
    </a>
  )
  return (
    <Page title="Numbers" actions={add}>
      <NumberTabs />
      <p class="hint lead">Calls that name no number are dialled from the oldest one.</p>
      <Listed
        resource={numbers}
        what="numbers"
        caption="Numbers of the workspace, newest first"
        id={({ id }) => id}
        columns={[
          { label: "Number", cell: ({ number }) => <span class="numeric">{number}</span> },
          {
            label: "Label",
            kind: "wide",
            cell: (number) => (
              <Label
                number={number}
                isEdited={edited === number.id}
                onEdit={(isEdited) => setEdited(isEdited ? number.id : null)}
                onSaved={numbers.reload}
              />
            )
          },
          { label: "Added", cell: ({ created_at }) => <Time at={created_at} /> },
          {
            label: "Acts",
            kind: "acts",
            cell: (number) => (
              <>
                <a href={to("/calls", { caller: number.id })}>
                  Calls<span class="visually-hidden"> from {number.number}</span>
                </a>
                <Release number={number} onDone={numbers.reload} />
              </>
            )
          }
        ]}
        empty={
          <Empty title="No numbers yet" action={add}>
            A call is dialled from a number of the workspace.
          </Empty>
        }
      />
    </Page>
  )
}
