import { Schema } from "effect"
import { AgentNotFound, AgentVersionNotFound } from "../../../core/model/agents/AgentErrors.ts"
import { CallBatchNotFound, CallNotFound } from "../../../core/model/calls/CallErrors.ts"
import {
  CampaignNotFound,
  ImportNotFound,
  RecipientNotFound
} from "../../../core/model/campaigns/CampaignErrors.ts"
import { SessionNotFound } from "../../../core/model/conversations/SessionErrors.ts"
import { NotOnTheList, PhoneNumberNotFound } from "../../../core/model/numbers/PhoneNumberErrors.ts"
import { RecordingNotFound } from "../../../core/model/recordings/RecordingErrors.ts"
import { RunNotFound, SuiteNotFound } from "../../../core/model/suites/SuiteErrors.ts"
import { TemplateNotFound } from "../../../core/model/templates/TemplateErrors.ts"
import { DeliveryNotFound, WebhookNotFound } from "../../../core/model/webhooks/WebhookErrors.ts"
import { ApiKeyNotFound } from "../../../core/model/workspaces/WorkspaceErrors.ts"
import type { Scope } from "../../../core/model/workspaces/Principal.ts"
import { Conflict, Forbidden, NotFound, ScopeMissing } from "./Errors.ts"

/** An operation's own errors, by status. */
export type Failures = Readonly<Partial<Record<404 | 409, unknown>>>

/** The error of a path that names nothing, by its last parameter. */
const absent: Readonly<Record<string, unknown>> = {
  call_id: new CallNotFound({ call_id: "" }),
  batch_id: new CallBatchNotFound({ batch_id: "" }),
  campaign_id: new CampaignNotFound({ campaign_id: "" }),
  recipient_id: new RecipientNotFound({ recipient_id: "" }),
  import_id: new ImportNotFound({ import_id: "" }),
  agent_id: new AgentNotFound({ agent_id: "" }),
  version: new AgentVersionNotFound({ agent_id: "", version: 1 }),
  session_id: new SessionNotFound({ session_id: "" }),
  suite_id: new SuiteNotFound({ suite_id: "" }),
  run_id: new RunNotFound({ run_id: "" }),
  phone_number_id: new PhoneNumberNotFound({ phone_number_id: "" }),
  phone_number: new NotOnTheList(),
  recording_id: new RecordingNotFound({ recording_id: "" }),
  template_id: new TemplateNotFound({ template_id: "" }),
  webhook_id: new WebhookNotFound({ webhook_id: "" }),
  key_id: new ApiKeyNotFound({ key_id: "" }),
  delivery_id: new DeliveryNotFound({ delivery_id: "" })
}

const bodies: Readonly<Record<string, (error: unknown) => unknown>> = {
  403: Schema.encodeUnknownSync(Forbidden),
  404: Schema.encodeUnknownSync(NotFound),
  409: Schema.encodeUnknownSync(Conflict)
}

/** The bodies of the errors that differ from operation to operation, as the server would write them. */
export const failuresOf = (
  scope: Scope,
  parameters: ReadonlyArray<{ readonly in: string; readonly name: string }>,
  own: Failures = {}
): Readonly<Record<string, unknown>> => {
  const named = parameters.filter((parameter) => parameter.in === "path").at(-1)?.name ?? ""
  const errors = { 403: new ScopeMissing({ scope }), 404: absent[named], ...own }
  return Object.fromEntries(
    Object.entries(errors).flatMap(([status, error]) =>
      error === undefined ? [] : [[status, bodies[status]!(error)]]
    )
  )
}
