import type { MessageRequest } from "../../core/model/messages/MessageRequest.ts"
import type { Part } from "../../core/model/messages/Parameters.ts"
import type { Component } from "../../core/model/templates/Component.ts"
import * as Reference from "./Reference.ts"
import * as TemplateNames from "./TemplateNames.ts"

type Header = Extract<Component, { readonly type: "header" }>

/** Values of the placeholders of a text, in their order. */
const texts = ({ parameters, template }: MessageRequest, part: Part) =>
  [...parameters[part]].map(([name, text]) =>
    template.parameter_format === "named"
      ? { type: "text", parameter_name: name, text }
      : { type: "text", text }
  )

const headerOf = (request: MessageRequest, { format }: Header) => {
  if (format === "text") return texts(request, "header")
  const values = Object.fromEntries(request.parameters.header)
  return [{ type: format, [format]: format === "location" ? values : { link: values["link"] } }]
}

const componentsOf = (request: MessageRequest, component: Component): ReadonlyArray<object> => {
  switch (component.type) {
    case "header": {
      const parameters = headerOf(request, component)
      return parameters.length === 0 ? [] : [{ type: "header", parameters }]
    }
    case "body": {
      const parameters = texts(request, "body")
      return parameters.length === 0 ? [] : [{ type: "body", parameters }]
    }
    case "footer":
      return []
    case "buttons":
      return [...request.parameters.buttons].map(([index, text]) => ({
        type: "button",
        sub_type: "url",
        index,
        parameters: [{ type: "text", text }]
      }))
  }
}

/** A message as Meta takes it. Source: Meta, "Cloud API: send template messages". */
export const messageBody = (request: MessageRequest, sent_at: number): object => ({
  messaging_product: "whatsapp",
  recipient_type: "individual",
  to: request.to_number,
  type: "template",
  template: {
    name: TemplateNames.toMeta(request.template),
    language: { code: request.template.language },
    components: request.template.components.flatMap((component) => componentsOf(request, component))
  },
  biz_opaque_callback_data: Reference.encode({
    workspace_id: request.workspace_id,
    key: request.key,
    sent_at
  })
})
