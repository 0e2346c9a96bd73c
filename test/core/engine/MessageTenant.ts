import { Effect } from "effect"
import { MessageLedger } from "../../../adapters/simulated/SimulatedSender.ts"
import type { CampaignDraft } from "../../../core/model/campaigns/CampaignBody.ts"
import { statsOf } from "../../../core/model/campaigns/CampaignCounters.ts"
import type { Recipient } from "../../../core/model/campaigns/Recipient.ts"
import { RawJson } from "../../../core/model/json/RawJson.ts"
import type { TemplateStatus } from "../../../core/model/templates/Template.ts"
import { Agents } from "../../../core/usecases/Agents.ts"
import { Campaigns } from "../../../core/usecases/Campaigns.ts"
import { Recipients } from "../../../core/usecases/Recipients.ts"
import { Templates } from "../../../core/usecases/Templates.ts"
import type { WorkspaceDraft } from "../../../core/usecases/Workspaces.ts"
import * as Platform from "../../Platform.ts"

/** A tenant whose agent writes, and an approved template that greets by name. */
export const tenant = Effect.fnUntraced(function* (draft: Partial<WorkspaceDraft> = {}, credits = 1_000) {
  const made = yield* Platform.tenant(draft, credits)
  const agents = yield* Agents
  const { id } = yield* agents.create(made.workspace.id, { ...made.agent, channel: "msg" })
  const writer = yield* agents.update(made.workspace.id, id, { published: true })
  const template = yield* (yield* Templates).create(made.workspace.id, {
    name: "greeting",
    language: "en",
    category: "utility",
    parameter_format: "positional",
    components: [{ type: "body", text: "Hello {{1}}, all is well.", example: { body_text: [["Ada"]] } }]
  })
  return { ...made, writer, template }
})

export type Tenant = Effect.Effect.Success<ReturnType<typeof tenant>>

export const json = (value: object) => RawJson(JSON.stringify(value))

/** A campaign that writes to `numbers`, each with a name of its own. It is not started. */
export const campaign = (
  { template, writer, ...made }: Tenant,
  numbers: ReadonlyArray<string>,
  draft: Partial<CampaignDraft> = {}
) =>
  Platform.campaign({ ...made, agent: writer }, numbers, {
    channel: "msg",
    template: json({ id: template.id, variables: { body: { "1": "name" } } }),
    ...draft
  })

export const start = Effect.fnUntraced(function* ({ workspace }: Tenant, id: string) {
  return yield* (yield* Campaigns).start(workspace.id, id)
})

export const standing = Effect.fnUntraced(function* ({ workspace }: Tenant, id: string) {
  const { campaign, counters } = yield* (yield* Campaigns).get(workspace.id, id)
  return { status: campaign.status, reason: campaign.status_reason, ...statsOf(counters) }
})

const all = { limit: 10_000, offset: 0 }

/** Oldest first. */
export const attempts = Effect.fnUntraced(function* ({ workspace }: Tenant, id: string) {
  return (yield* (yield* Campaigns).attempts(workspace.id, id, {}, all)).data.toReversed()
})

/** By the number that they have. */
export const recipients = Effect.fnUntraced(function* ({ workspace }: Tenant, id: string) {
  const { data } = yield* (yield* Recipients).list(workspace.id, id, {}, all)
  return new Map(data.map((recipient): readonly [string, Recipient] => [recipient.phone_number, recipient]))
})

/** What the provider has received. */
export const messages = Effect.flatMap(MessageLedger, (ledger) => ledger.messages)

/** The registry has come to another result. */
export const review = Effect.fnUntraced(function* ({ template, workspace }: Tenant, status: TemplateStatus) {
  const { provider_template_id } = template
  const reason = status === "rejected" ? "so be it" : null
  yield* (yield* Templates).reviewed(workspace.id, template, {
    provider_template_id,
    status,
    rejection_reason: reason
  })
})
