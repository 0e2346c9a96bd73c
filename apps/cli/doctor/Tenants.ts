import { Clock, Effect, Option } from "effect"
import { minute } from "../../../core/model/Codecs.ts"
import type { Webhook } from "../../../core/model/webhooks/Webhook.ts"
import type { Workspace } from "../../../core/model/workspaces/Workspace.ts"
import { Repository } from "../../../core/ports/Repository.ts"
import { all } from "../command/Pages.ts"
import { count, type Finding, ok, some, warning } from "./Finding.ts"
import { checkClockAgainst } from "./Machine.ts"

/** What an operator should look at in one workspace. */
export interface Tenant {
  readonly id: string
  readonly lacks: ReadonlyArray<string>
  /** Ids of webhooks that were disabled because their receiver is gone, or by their owner. */
  readonly disabled: ReadonlyArray<string>
  readonly deadDeliveries: number
  /** Live calls whose carrier is overdue with news, and waiting calls that should have been dialled. */
  readonly overdue: number
  readonly late: number
}

const counted = 1_000
/** Due work is done within a second or so. Work that has waited longer than this is held up. */
const grace = minute

const inspect = Effect.fnUntraced(function* ({ id }: Workspace, now: number) {
  const repository = yield* Repository
  const keys = yield* all((page) => repository.apiKeys.list(id, page))
  const agents = yield* all((page) => repository.agents.list(id, { published: true }, page))
  const number = yield* repository.phoneNumbers.first(id)
  const balance = yield* repository.credits.balance(id)
  const webhooks = yield* all((page) => repository.webhooks.list(id, page))
  const dead = yield* Effect.forEach(webhooks, (webhook: Webhook) =>
    repository.deliveries.list(id, { webhook_id: webhook.id, status: "dead" }, { limit: 1, offset: 0 })
  )
  const overdue = yield* repository.calls.overdue(id, now - grace, counted)
  const late = yield* repository.calls.dialable(id, null, now - grace, counted)
  const lacks = [
    ...(Option.isNone(number) ? ["phone number"] : []),
    ...(agents.some(({ channel }) => channel === "voice") ? [] : ["published voice agent"]),
    ...(balance > 0 ? [] : ["credits"]),
    ...(keys.some(({ revoked_at }) => revoked_at === null) ? [] : ["API key"])
  ]
  const tenant: Tenant = {
    id,
    lacks,
    disabled: webhooks.filter(({ status }) => status === "disabled").map((webhook) => webhook.id),
    deadDeliveries: dead.reduce((sum, { total }) => sum + total, 0),
    overdue: overdue.length,
    late: late.length
  }
  return tenant
})

const sum = (tenants: ReadonlyArray<Tenant>, of: (tenant: Tenant) => number): number =>
  tenants.reduce((total, tenant) => total + of(tenant), 0)

const where = (tenants: ReadonlyArray<Tenant>, has: (tenant: Tenant) => boolean): string =>
  some(tenants.filter(has).map(({ id }) => id))

const lacking = (tenants: ReadonlyArray<Tenant>): ReadonlyArray<Finding> =>
  ["phone number", "published voice agent", "credits", "API key"].flatMap((thing) => {
    const without = tenants.filter(({ lacks }) => lacks.includes(thing))
    if (without.length === 0) return []
    const article = thing === "credits" ? "no credits" : `no ${thing}`
    return [
      warning(
        "workspaces",
        `${count(without.length, "workspace")} with ${article}: ${some(without.map(({ id }) => id))}`
      )
    ]
  })

/** The findings on all workspaces together. */
export const judge = (tenants: ReadonlyArray<Tenant>): ReadonlyArray<Finding> => {
  if (tenants.length === 0) {
    return [
      warning("workspaces", "there is none yet: the server's first start, or `workspace create`, makes one")
    ]
  }
  const missing = lacking(tenants)
  const disabled = tenants.flatMap((tenant) => tenant.disabled)
  const dead = sum(tenants, ({ deadDeliveries }) => deadDeliveries)
  const overdue = sum(tenants, (tenant) => tenant.overdue)
  const late = sum(tenants, (tenant) => tenant.late)
  return [
    ...(missing.length === 0
      ? [ok("workspaces", `${count(tenants.length, "workspace")}, each with all that a call needs`)]
      : missing),
    ...(disabled.length === 0
      ? []
      : [warning("webhooks", `${count(disabled.length, "webhook")} disabled: ${some(disabled)}`)]),
    ...(dead === 0
      ? []
      : [
          warning(
            "webhooks",
            `${count(dead, "dead delivery", "dead deliveries")} in ${where(tenants, ({ deadDeliveries }) => deadDeliveries > 0)}: redeliver or leave`
          )
        ]),
    ...(disabled.length + dead === 0 ? [ok("webhooks", "none disabled, no dead delivery")] : []),
    ...(overdue === 0
      ? []
      : [
          warning(
            "calls",
            `${count(overdue, "call")} under way and not heard of when due, in ${where(tenants, (tenant) => tenant.overdue > 0)}: is the server running?`
          )
        ]),
    ...(late === 0
      ? []
      : [
          warning(
            "calls",
            `${count(late, "call")} due for more than a minute, in ${where(tenants, (tenant) => tenant.late > 0)}: the server does not run, or the workspace is at its limits`
          )
        ]),
    ...(overdue + late === 0 ? [ok("calls", "none is overdue")] : [])
  ]
}

/** What the workspaces of the store need. */
export const tenants = Effect.fn("Doctor.tenants")(function* () {
  const repository = yield* Repository
  const now = yield* Clock.currentTimeMillis
  const workspaces = yield* all(repository.workspaces.list)
  const clock = checkClockAgainst(Math.max(0, ...workspaces.map(({ created_at }) => created_at)), now)
  const inspected = yield* Effect.forEach(workspaces, (workspace) => inspect(workspace, now))
  return [...judge(inspected), ...(clock === undefined ? [] : [clock])]
})
