import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import { Schema } from "effect"
import { E164 } from "../../../core/model/numbers/PhoneNumber.ts"
import { Blocked, DoNotCallImport } from "../../../core/usecases/DoNotCallList.ts"
import { needs } from "./Authentication.ts"
import * as Examples from "./CampaignExamples.ts"
import * as Errors from "./Errors.ts"
import { pageOf } from "./Examples.ts"
import { JsonBody } from "./JsonBody.ts"
import { body, Form, Id, operation } from "./Operation.ts"
import { PageOf } from "./Paging.ts"
import { DoNotCallQuery } from "./Queries.ts"

const many = "phone_numbers must hold 1 to 1,000 numbers"

export const NewDoNotCallEntries = body("NewDoNotCallEntries", {
  phone_numbers: Schema.Array(E164).pipe(
    Schema.minItems(1, { message: () => many }),
    Schema.maxItems(1_000, { message: () => many })
  )
})

const Added = Schema.Struct({
  added: Schema.Int.annotations({ description: "Numbers that were not on the list" })
}).annotations({ identifier: "AddedDoNotCallEntries" })

const Removed = Schema.Struct({ phone_number: Schema.String, deleted: Schema.Literal(true) }).annotations({
  identifier: "RemovedDoNotCallEntry"
})

const list = HttpApiEndpoint.get("list", "/do-not-call")
  .setUrlParams(DoNotCallQuery)
  .addSuccess(PageOf("DoNotCallPage", Blocked))
  .addError(Errors.InvalidRequest)
  .middleware(needs("campaigns:read"))
  .annotateContext(
    operation("listDoNotCall", {
      summary: "List the numbers not to call",
      description: "The workspace's own list, newest first, with full numbers.",
      scope: "campaigns:read",
      response: pageOf(Examples.blocked)
    })
  )

const add = HttpApiEndpoint.post("add", "/do-not-call")
  .setPayload(NewDoNotCallEntries)
  .addSuccess(Added)
  .middleware(JsonBody)
  .middleware(needs("campaigns:write"))
  .annotateContext(
    operation("addDoNotCall", {
      summary: "Put numbers on the do-not-call list",
      description:
        "Adds 1 to 1,000 numbers, all of them or none. They hold for imports and at each dial, of campaigns and " +
        "of single calls.",
      scope: "campaigns:write",
      request: { phone_numbers: [Examples.blocked.phone_number] },
      response: { added: 1 }
    })
  )

const remove = HttpApiEndpoint.del("remove", "/do-not-call/:phone_number")
  .setPath(Schema.Struct({ phone_number: Id("The number in E.164 form, its + as `%2B` or as it is") }))
  .addSuccess(Removed)
  .addError(Errors.NotFound)
  .middleware(needs("campaigns:write"))
  .annotateContext(
    operation("removeDoNotCall", {
      summary: "Take a number off the do-not-call list",
      description: "It may be called again. Recipients that were skipped for it stay so.",
      scope: "campaigns:write",
      response: Examples.unblocked
    })
  )

const upload = HttpApiEndpoint.post("import", "/do-not-call/import")
  .setPayload(Form)
  .addSuccess(DoNotCallImport)
  .addError(Errors.InvalidRequest)
  .addError(Errors.RequestTimeout)
  .addError(Errors.PayloadTooLarge)
  .middleware(needs("campaigns:write"))
  .annotateContext(
    operation("importDoNotCall", {
      summary: "Import numbers into the do-not-call list",
      description:
        "Adds the numbers of a file's phone column, as the import of recipients reads it; other columns are " +
        "ignored. Rows without a good number are told in `errors` and left out.",
      scope: "campaigns:write",
      request: Examples.form,
      response: Examples.doNotCallImport,
      errors: {
        400: "The body is no form with one part named `file`; or the file is not a UTF-8 CSV or an `.xlsx` spreadsheet, or has no header or no phone column",
        413: "The file has more than 5 MB"
      }
    })
  )

export const DoNotCallGroup = HttpApiGroup.make("do_not_call")
  .add(list)
  .add(add)
  .add(remove)
  .add(upload)
  .annotateContext(
    OpenApi.annotations({
      title: "Do not call",
      description: "The numbers that a workspace must not call. An addition."
    })
  )
