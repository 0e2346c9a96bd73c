import { Schema } from "effect"

export class TemplateNotFound extends Schema.TaggedError<TemplateNotFound>()("TemplateNotFound", {
  template_id: Schema.String
}) {
  override get message() {
    return "no such message template"
  }
}

/** The workspace has a template of this name and language already. */
export class TemplateTaken extends Schema.TaggedError<TemplateTaken>()("TemplateTaken", {}) {
  override get message() {
    return "the workspace has a message template of this name and language already"
  }
}

/** Whether the registry has it is not known yet. */
export class TemplateInSubmission extends Schema.TaggedError<TemplateInSubmission>()(
  "TemplateInSubmission",
  {}
) {
  override get message() {
    return "the message template is being submitted: try again in a minute"
  }
}
