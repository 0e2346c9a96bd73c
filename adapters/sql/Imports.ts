import { Effect } from "effect"
import type { CampaignImport, RowError } from "../../core/model/campaigns/CampaignImport.ts"
import type { ImportKey, ImportRows } from "../../core/ports/ImportRows.ts"
import { platformWide } from "../../core/ports/Repository.ts"
import type { Database } from "./Database.ts"
import { assign, changes, insertInto, pageOf, pick, reader, write } from "./Statements.ts"

const fixed = ["id", "customer_id", "campaign_id", "filename", "source_uri", "created_at"] as const
const plain = ["status", "total_rows", "accepted_rows", "rejected_rows", "completed_at"] as const
const mutable = [...plain, "errors"]
const columns = [...fixed, "content_type", ...mutable]

interface ImportRow extends Omit<CampaignImport, "metadata" | "errors"> {
  readonly content_type: string
  readonly errors: string
}

const mutableOf = (campaignImport: CampaignImport) => [
  ...pick(campaignImport, plain),
  JSON.stringify(campaignImport.errors)
]

const fromRow = ({ content_type, ...row }: ImportRow): CampaignImport => ({
  ...row,
  errors: JSON.parse(row.errors) as ReadonlyArray<RowError>,
  metadata: { content_type }
})

const key = ["customer_id", "campaign_id", "import_id"]
const ofCampaign = "customer_id = ? and campaign_id = ?"

/** By when its process renews it. A process of a version that renewed none has died an hour after it began one. */
const dueAt = "coalesce(due_at, created_at + 3600000)"
const isOverdue = `completed_at is null and ${dueAt} <= ?`

const sql = {
  insert: insertInto("imports", [...columns, "due_at"]),
  renew: `update imports set due_at = ? where ${ofCampaign} and id = ? and completed_at is null`,
  overdue: `select customer_id, campaign_id, id from imports where ${isOverdue} order by ${dueAt} limit ?`,
  getOverdue: `select ${columns.join(", ")} from imports where ${ofCampaign} and id = ? and ${isOverdue}`,
  get: `select ${columns.join(", ")} from imports where ${ofCampaign} and id = ?`,
  page: pageOf({
    table: "imports",
    key: ["customer_id", "campaign_id", "id"],
    columns,
    where: ofCampaign,
    order: "id desc"
  }),
  update: `update imports set ${assign(mutable)} where ${ofCampaign} and id = ? and completed_at is null`,
  addErrors: insertInto("import_errors", [...key, "first_row", "errors"]),
  errorsAfter:
    `select errors from import_errors where ${ofCampaign} and import_id = ? and first_row > ? ` +
    "order by first_row limit 1"
}

export const imports = (database: Database["Type"]): ImportRows => {
  const read = reader(database, fromRow)
  return {
    insert: (campaignImport, due_at) =>
      Effect.asVoid(
        database.run(campaignImport.customer_id, sql.insert, [
          ...pick(campaignImport, fixed),
          campaignImport.metadata.content_type,
          ...mutableOf(campaignImport),
          due_at
        ])
      ),
    renew: ({ campaign_id, customer_id, id }, due_at) =>
      write(database, customer_id, sql.renew, [due_at, customer_id, campaign_id, id]),
    overdue: (now, limit) => database.all<ImportKey>(platformWide, sql.overdue, [now, limit]),
    getOverdue: ({ campaign_id, customer_id, id }, now) =>
      read.one(customer_id, sql.getOverdue, campaign_id, id, now),
    get: (workspace_id, campaign_id, id) => read.one(workspace_id, sql.get, campaign_id, id),
    list: (workspace_id, campaign_id, page) => read.page(workspace_id, sql.page, page, campaign_id),
    update: (campaignImport) =>
      changes(database, campaignImport.customer_id, sql.update, [
        ...mutableOf(campaignImport),
        campaignImport.customer_id,
        campaignImport.campaign_id,
        campaignImport.id
      ]),
    addErrors: ({ campaign_id, customer_id, id }, errors) =>
      write(database, customer_id, sql.addErrors, [
        customer_id,
        campaign_id,
        id,
        errors[0]!.row,
        JSON.stringify(errors)
      ]),
    errorsAfter: ({ campaign_id, customer_id, id }, row) =>
      Effect.map(
        database.all<Pick<ImportRow, "errors">>(customer_id, sql.errorsAfter, [
          customer_id,
          campaign_id,
          id,
          row
        ]),
        ([slice]) => (slice === undefined ? [] : (JSON.parse(slice.errors) as ReadonlyArray<RowError>))
      )
  }
}
