import { useSignal } from "@preact/signals"
import { Form } from "../components/Form.tsx"
import { notify } from "../components/Notice.tsx"
import { Page } from "../components/Page.tsx"
import { messageOf, Shown } from "../components/States.tsx"
import { useAction } from "../data/Action.ts"
import { words } from "../data/Format.ts"
import { useResource } from "../data/Resource.ts"
import { navigate, place, to } from "../router/Location.ts"
import { componentsOf, type Draft, draftOf, empty, templateOf } from "./Draft.ts"
import { Preview } from "./Preview.tsx"
import { TemplateFields } from "./TemplateFields.tsx"

/** Which part of a draft the interface refuses, which names it by its place: `components.1.text must …`. */
const refusedPart = (draft: Draft, error: unknown): string => {
  const [, at] = /^components\.(\d+)/.exec(messageOf(error)) ?? []
  const part = at === undefined ? undefined : componentsOf(draft)[Number(at)]
  return part === undefined
    ? "The template was not made."
    : `The template was not made. See its ${part.type}:`
}

const Editor = ({ begun }: { readonly begun: Draft }) => {
  const draft = useSignal(begun)
  const creating = useAction(async (api) => {
    const { id, name, status } = await api.messageTemplates.create(templateOf(draft.value))
    notify(`${name} was submitted. Review: ${words(status)}.`)
    navigate(to(`/messages/${id}`))
  })
  return (
    <div class="workbench">
      <Form
        action={creating}
        class="card stack"
        submit="Submit for review"
        busy="Submitting…"
        failure={refusedPart(draft.value, creating.error)}
        actions={
          <a class="button plain" href={to("/messages")}>
            Back to templates
          </a>
        }
      >
        <TemplateFields
          draft={draft.value}
          onChange={(part) => {
            draft.value = { ...draft.value, ...part }
          }}
        />
      </Form>
      <section class="trial stack" aria-labelledby="preview">
        <h2 id="preview">Preview</h2>
        <Preview components={componentsOf(draft.value)} />
        <p class="hint">Examples stand in place of what each message fills in.</p>
      </section>
    </div>
  )
}

/** A template cannot be changed: another one may begin as it stands. */
export const NewTemplate = () => {
  const from = place.value.query.get("from")
  const begun = useResource(
    async (api, options) => (from === null ? empty : draftOf(await api.messageTemplates.get(from, options))),
    [from]
  )
  return (
    <Page title="New template">
      <Shown resource={begun} what="the template">
        {(draft) => <Editor begun={draft} />}
      </Shown>
    </Page>
  )
}
