import type { Template } from "outdial/client"
import { ConfirmButton } from "../components/Confirm.tsx"
import { notify } from "../components/Notice.tsx"
import { Page } from "../components/Page.tsx"
import { Shown } from "../components/States.tsx"
import { type Fact, Facts, Raw, Status, Time } from "../components/Values.tsx"
import { useAction } from "../data/Action.ts"
import { words } from "../data/Format.ts"
import { useResource } from "../data/Resource.ts"
import { navigate, to } from "../router/Location.ts"
import { Preview } from "./Preview.tsx"

const factsOf = (template: Template): ReadonlyArray<Fact> => [
  ["Why it was rejected", template.rejection_reason],
  ["Language", template.language],
  ["Category", words(template.category)],
  ["Placeholders", words(template.parameter_format)],
  ["The registry's id", template.provider_template_id],
  ["Made", <Time at={template.created_at} full />],
  ["Changed", <Time at={template.updated_at} full />]
]

export const TemplatePage = ({ params }: { readonly params: { readonly template_id?: string } }) => {
  const id = params.template_id!
  const found = useResource((api, options) => api.messageTemplates.get(id, options), [id])
  const removing = useAction(async (api) => {
    await api.messageTemplates.remove(id)
    notify("The template was removed.")
    navigate(to("/messages"))
  })
  const template = found.data
  return (
    <Page
      title={template === null ? "Template" : template.name}
      aside={template === null ? null : <Status value={template.status} />}
      actions={
        template === null ? undefined : (
          <>
            <a class="button" href={to("/messages/new", { from: id })}>
              Make another from it
            </a>
            <ConfirmButton
              label="Remove"
              question="Remove this template, from the registry too? Messages that use it are no longer sent."
              act={removing}
            />
          </>
        )
      }
    >
      <Shown resource={found} what="the template">
        {(template) => (
          <div class="beside">
            <Preview components={template.components} />
            <div class="stack">
              <Facts facts={factsOf(template)} />
              <Raw title="The template's record" value={template} />
            </div>
          </div>
        )}
      </Shown>
      <p>
        <a href={to("/messages")}>All templates</a>
      </p>
    </Page>
  )
}
