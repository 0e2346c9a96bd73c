import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import { Schema } from "effect"
import { Template } from "../../../core/model/templates/Template.ts"
import { NewTemplate } from "../../../core/model/templates/TemplateBody.ts"
import { TemplateInSubmission, TemplateTaken } from "../../../core/model/templates/TemplateErrors.ts"
import { needs } from "./Authentication.ts"
import * as Errors from "./Errors.ts"
import { deleted, pageOf } from "./Examples.ts"
import { JsonBody } from "./JsonBody.ts"
import { Deleted, Id, operation } from "./Operation.ts"
import { PageOf } from "./Paging.ts"
import * as Examples from "./TemplateExamples.ts"
import { TemplateQuery } from "./Queries.ts"

const Path = Schema.Struct({ template_id: Id("The message template's id") })

const registryErrors = {
  502: "The registry's answer could not be used",
  503: "The registry cannot be reached",
  504: "The registry did not answer in time"
}

const create = HttpApiEndpoint.post("create", "/msg/templates")
  .setPayload(NewTemplate)
  .addSuccess(Template)
  .addError(Errors.InvalidRequest)
  .addError(Errors.Conflict)
  .addError(Errors.BadGateway)
  .addError(Errors.GatewayTimeout)
  .middleware(JsonBody)
  .middleware(needs("templates:write"))
  .annotateContext(
    operation("createMessageTemplate", {
      summary: "Create a message template",
      description:
        "Submits a template to the registry that reviews it, and answers with what came of that: `status` is " +
        "`pending`, `approved` or `rejected`, then with `rejection_reason`. A name and a language make one template.\n\n" +
        "Keywords (`category`, `parameter_format`, `type`, `format`) may be in upper case and are kept in lower case. " +
        "Positional placeholders are `{{1}}`, `{{2}}` and so on, counted anew in each component, named ones " +
        "`{{first_name}}`; each has an example. A body has none at its start or end, and something between one " +
        "and the next. There are 1 to 10 buttons, of them at most 2 of type `url` and 1 of type `phone_number`; " +
        "the texts of quick replies differ.\n\n" +
        "When the registry fails, nothing is stored and the same request may be sent again.",
      scope: "templates:write",
      addition: false,
      request: Examples.draft,
      response: Examples.template,
      failures: { 409: new TemplateTaken() },
      errors: {
        400: "A property breaks its rule, is missing or is not permitted",
        409: "The workspace has a template of this name and language already",
        ...registryErrors
      }
    })
  )

const list = HttpApiEndpoint.get("list", "/msg/templates")
  .setUrlParams(TemplateQuery)
  .addSuccess(PageOf("TemplatePage", Template))
  .middleware(needs("templates:write"))
  .annotateContext(
    operation("listMessageTemplates", {
      summary: "List message templates",
      description: "The workspace's message templates, newest first.",
      scope: "templates:write",
      response: pageOf(Examples.template)
    })
  )

const get = HttpApiEndpoint.get("get", "/msg/templates/:template_id")
  .setPath(Path)
  .addSuccess(Template)
  .addError(Errors.NotFound)
  .middleware(needs("templates:write"))
  .annotateContext(
    operation("getMessageTemplate", {
      summary: "Read a message template",
      description: "The template, with what the registry made of it.",
      scope: "templates:write",
      response: Examples.template
    })
  )

const remove = HttpApiEndpoint.del("remove", "/msg/templates/:template_id")
  .setPath(Path)
  .addSuccess(Deleted)
  .addError(Errors.NotFound)
  .addError(Errors.Conflict)
  .addError(Errors.BadGateway)
  .addError(Errors.GatewayTimeout)
  .middleware(needs("templates:write"))
  .annotateContext(
    operation("removeMessageTemplate", {
      summary: "Remove a message template",
      description: "Removes it from the registry and here. Its name and language are free again.",
      scope: "templates:write",
      response: deleted(Examples.template_id),
      failures: { 409: new TemplateInSubmission({ template_id: "" }) },
      errors: { 409: "It is being submitted at this moment", ...registryErrors }
    })
  )

export const TemplatesGroup = HttpApiGroup.make("message_templates")
  .add(create)
  .add(list)
  .add(get)
  .add(remove)
  .annotateContext(
    OpenApi.annotations({
      title: "Message templates",
      description: "What may be sent on the message channel without being asked, once a registry approved it."
    })
  )
