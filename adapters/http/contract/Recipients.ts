import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import { Schema } from "effect"
import { RecipientTaken, RecipientUnderWay } from "../../../core/model/campaigns/CampaignErrors.ts"
import { ImportRecord } from "../../../core/model/campaigns/CampaignImport.ts"
import { RecipientRecord } from "../../../core/model/campaigns/Recipient.ts"
import { AddRecipientsBody, RecipientChangeBody } from "../../../core/model/campaigns/RecipientBody.ts"
import { needs } from "./Authentication.ts"
import * as Examples from "./CampaignExamples.ts"
import { CampaignPath } from "./Campaigns.ts"
import * as Errors from "./Errors.ts"
import { ids, pageOf } from "./Examples.ts"
import { JsonBody } from "./JsonBody.ts"
import { Deleted, Form, Id, operation } from "./Operation.ts"
import { PageOf, PageQuery } from "./Paging.ts"
import { RecipientQuery } from "./Queries.ts"

const Added = Schema.Struct({ recipients: Schema.Array(RecipientRecord) }).annotations({
  identifier: "AddedRecipients"
})

const ImportWithLink = Schema.Struct({
  ...ImportRecord.fields,
  errors_url: Schema.NullOr(Schema.String).annotations({
    description: "The path of all refused rows as CSV, on this server. Null when there are none"
  })
}).annotations({ identifier: "CampaignImport" })

/** Source: contract, "POST recipients/import". */
const Imported = Schema.Struct({
  recipients: Schema.Array(RecipientRecord),
  import: ImportWithLink
}).annotations({ identifier: "ImportedRecipients" })

const Csv = HttpApiSchema.Text({ contentType: "text/csv" }).annotations({
  description: "CSV in UTF-8 with a header"
})

const list = HttpApiEndpoint.get("list", "/campaigns/:campaign_id/recipients")
  .setPath(CampaignPath)
  .setUrlParams(RecipientQuery)
  .addSuccess(PageOf("RecipientPage", RecipientRecord))
  .addError(Errors.NotFound)
  .middleware(needs("campaigns:read"))
  .annotateContext(
    operation("listRecipients", {
      summary: "List a campaign's recipients",
      description:
        "Newest first, with masked numbers. Filters may be given together: `status`, `phone_number`, " +
        "`qualification_status`, `sentiment`, `answers.name=value`, `variables.name=value`.",
      scope: "campaigns:read",
      response: pageOf(Examples.recipient)
    })
  )

const add = HttpApiEndpoint.post("add", "/campaigns/:campaign_id/recipients")
  .setPath(CampaignPath)
  .setPayload(AddRecipientsBody)
  .addSuccess(Added)
  .addError(Errors.InvalidRequest)
  .addError(Errors.NotFound)
  .addError(Errors.Conflict)
  .middleware(JsonBody)
  .middleware(needs("campaigns:write"))
  .annotateContext(
    operation("addRecipients", {
      summary: "Add recipients",
      description:
        "Adds 1 to 1,000 recipients, all of them or none: unlike an import it refuses what breaks a rule. The " +
        "body may have 5 MB. Numbers on the do-not-call list come in as `skipped`.",
      scope: "campaigns:write",
      request: Examples.newRecipients,
      response: { recipients: [Examples.recipient] },
      failures: { 409: new RecipientTaken({ index: 0, recipient_id: ids.recipient }) },
      errors: {
        400: "A property breaks its rule, a number is given twice, or the campaign is completed or cancelled",
        409: "The campaign has a recipient of the number already: `details` has the `index` in the request and the `recipient_id`"
      }
    })
  )

const RecipientPath = Schema.Struct({ ...CampaignPath.fields, recipient_id: Id("The recipient's id") })

const underWay = {
  failures: { 409: new RecipientUnderWay() },
  errors: { 409: "The recipient's call is under way, or waits for a retry" }
}

const get = HttpApiEndpoint.get("get", "/campaigns/:campaign_id/recipients/:recipient_id")
  .setPath(RecipientPath)
  .addSuccess(RecipientRecord)
  .addError(Errors.NotFound)
  .middleware(needs("campaigns:read"))
  .annotateContext(
    operation("getRecipient", {
      summary: "Read a recipient",
      description: "As it stands now, with a masked number.",
      scope: "campaigns:read",
      response: Examples.recipient
    })
  )

const change = HttpApiEndpoint.patch("update", "/campaigns/:campaign_id/recipients/:recipient_id")
  .setPath(RecipientPath)
  .setPayload(RecipientChangeBody)
  .addSuccess(RecipientRecord)
  .addError(Errors.InvalidRequest)
  .addError(Errors.NotFound)
  .addError(Errors.Conflict)
  .middleware(JsonBody)
  .middleware(needs("campaigns:write"))
  .annotateContext(
    operation("updateRecipient", {
      summary: "Change a recipient",
      description:
        "Replaces its variables as a whole, or its timezone; what is left out stays. Not while its call is under way.",
      scope: "campaigns:write",
      request: { variables: { name: "Ada" }, timezone: "Europe/Paris" },
      response: Examples.recipient,
      ...underWay
    })
  )

const remove = HttpApiEndpoint.del("remove", "/campaigns/:campaign_id/recipients/:recipient_id")
  .setPath(RecipientPath)
  .addSuccess(Deleted)
  .addError(Errors.NotFound)
  .addError(Errors.Conflict)
  .middleware(needs("campaigns:write"))
  .annotateContext(
    operation("deleteRecipient", {
      summary: "Remove a recipient",
      description: "Not while its call is under way. Its calls, attempts and recordings stay.",
      scope: "campaigns:write",
      response: { id: ids.recipient, deleted: true },
      ...underWay
    })
  )

const retry = HttpApiEndpoint.post("retry", "/campaigns/:campaign_id/recipients/:recipient_id/retry")
  .setPath(RecipientPath)
  .addSuccess(RecipientRecord)
  .addError(Errors.InvalidRequest)
  .addError(Errors.NotFound)
  .addError(Errors.Conflict)
  .middleware(needs("campaigns:write"))
  .annotateContext(
    operation("retryRecipient", {
      summary: "Call a recipient again",
      description:
        "Makes a recipient that is done pending again, so that the campaign calls it as if it was new. One that is " +
        "pending stays as it is.",
      scope: "campaigns:write",
      response: Examples.recipient,
      failures: underWay.failures,
      errors: { ...underWay.errors, 400: "The campaign is completed or cancelled" }
    })
  )

const upload = HttpApiEndpoint.post("import", "/campaigns/:campaign_id/recipients/import")
  .setPath(CampaignPath)
  .setPayload(Form)
  .addSuccess(Imported)
  .addError(Errors.InvalidRequest)
  .addError(Errors.NotFound)
  .addError(Errors.RequestTimeout)
  .addError(Errors.PayloadTooLarge)
  .middleware(needs("campaigns:write"))
  .annotateContext(
    operation("importRecipients", {
      summary: "Import recipients",
      description:
        "Adds the recipients of a file of at most 5 MB: CSV in UTF-8, or `.xlsx`. Its first row is the header; " +
        "one column is named `phone_number`, `phone`, `mobile` or `number`, every other one becomes a variable " +
        "(a column `timezone` the recipient's zone too). Good rows are added. The others are left out, those that " +
        "repeat a number too: `import.errors` lists the first 10,000 of them, `import.errors_url` has all. The " +
        "answer is sent while rows are added: one that breaks off has added what it tells, and the same file can " +
        "be sent again. One file of a workspace is read at a time, others wait for up to half a minute.",
      scope: "campaigns:write",
      addition: false,
      request: Examples.form,
      response: Examples.imported,
      errors: {
        400: "The body is no form with one part named `file`; the file is not a UTF-8 CSV or an `.xlsx` spreadsheet, or has no header or no phone column; or the campaign is completed or cancelled",
        413: "The file has more than 5 MB"
      }
    })
  )

const imports = HttpApiEndpoint.get("imports", "/campaigns/:campaign_id/imports")
  .setPath(CampaignPath)
  .setUrlParams(PageQuery)
  .addSuccess(PageOf("ImportPage", ImportWithLink))
  .addError(Errors.NotFound)
  .middleware(needs("campaigns:read"))
  .annotateContext(
    operation("listImports", {
      summary: "List a campaign's imports",
      description: "Newest first, with the first thousand errors of each. `errors_url` has all of them.",
      scope: "campaigns:read",
      response: pageOf(Examples.campaignImport)
    })
  )

const ImportPath = Schema.Struct({ ...CampaignPath.fields, import_id: Id("The import's id") })

const getImport = HttpApiEndpoint.get("getImport", "/campaigns/:campaign_id/imports/:import_id")
  .setPath(ImportPath)
  .addSuccess(ImportWithLink)
  .addError(Errors.NotFound)
  .middleware(needs("campaigns:read"))
  .annotateContext(
    operation("getImport", {
      summary: "Read an import",
      description: "`processing` while it adds rows; `failed` when it was broken off.",
      scope: "campaigns:read",
      response: Examples.campaignImport
    })
  )

const importErrors = HttpApiEndpoint.get(
  "importErrors",
  "/campaigns/:campaign_id/imports/:import_id/errors.csv"
)
  .setPath(ImportPath)
  .addSuccess(Csv)
  .addError(Errors.NotFound)
  .middleware(needs("campaigns:read"))
  .annotateContext(
    operation("exportImportErrors", {
      summary: "Export the refused rows of an import",
      description:
        "Every refused row in the order of the file, as CSV in UTF-8: its number, the error, and the offending " +
        "cell. A cell that a spreadsheet would run as a formula begins with an apostrophe.",
      scope: "campaigns:read",
      response: Examples.importErrors
    })
  )

const results = HttpApiEndpoint.get("results", "/campaigns/:campaign_id/results.csv")
  .setPath(CampaignPath)
  .addSuccess(Csv)
  .addError(Errors.NotFound)
  .middleware(needs("campaigns:read"))
  .annotateContext(
    operation("exportResults", {
      summary: "Export what came of a campaign",
      description:
        "Every recipient, oldest first, as CSV in UTF-8: its status, how its last call came out and why, the " +
        "number of attempts, their seconds of talk and their price in credits, what its review has found, the last " +
        "message that the person wrote, and one column for each variable. A credential with the scope `recipients:export` gets a column `phone_number` " +
        "before the variables, with the number in full. A cell that a spreadsheet would run as a formula begins " +
        "with an apostrophe.",
      scope: "campaigns:read",
      response: Examples.results
    })
  )

export const RecipientsGroup = HttpApiGroup.make("recipients")
  .add(list)
  .add(add)
  .add(get)
  .add(change)
  .add(remove)
  .add(retry)
  .add(upload)
  .add(imports)
  .add(getImport)
  .add(importErrors)
  .add(results)
  .annotateContext(
    OpenApi.annotations({
      title: "Recipients",
      description: "Whom a campaign calls: added one by one or by file, and what came of them."
    })
  )
