import { useSignal } from "@preact/signals"
import { TextField } from "../components/Fields.tsx"
import { Form } from "../components/Form.tsx"
import { notify } from "../components/Notice.tsx"
import { Page } from "../components/Page.tsx"
import { useAction } from "../data/Action.ts"
import { navigate, to } from "../router/Location.ts"
import { bare } from "./Written.ts"

export const NewNumber = () => {
  const number = useSignal("")
  const label = useSignal("")
  const adding = useAction(async (api) => {
    const added = await api.phoneNumbers.add({
      number: bare(number.value),
      label: label.value.trim() === "" ? null : label.value.trim()
    })
    notify(`${added.number} was added.`)
    navigate(to("/numbers"))
  })
  return (
    <Page title="Add a number">
      <Form
        action={adding}
        submit="Add the number"
        failure="The number was not added."
        actions={
          <>
            <a class="button" href={to("/numbers/available")}>
              See available ones
            </a>
            <a class="button plain" href={to("/numbers")}>
              Back to numbers
            </a>
          </>
        }
      >
        <TextField
          label="Number"
          required
          hint="With + and the country code. It must be yours at the carrier: nothing is bought here."
          value={number.value}
          onChange={(value) => (number.value = value)}
        />
        <TextField
          label="Label"
          hint="For people: nothing goes by it."
          value={label.value}
          onChange={(value) => (label.value = value)}
        />
      </Form>
    </Page>
  )
}
