import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import { Schema } from "effect"
import { PhoneNumber } from "../../../core/model/numbers/PhoneNumber.ts"
import { PhoneNumberInUse, PhoneNumberTaken } from "../../../core/model/numbers/PhoneNumberErrors.ts"
import { needs } from "./Authentication.ts"
import { available } from "./AvailableNumbers.ts"
import * as Errors from "./Errors.ts"
import * as Examples from "./Examples.ts"
import { JsonBody } from "./JsonBody.ts"
import { body, Deleted, Id, operation } from "./Operation.ts"
import { PageOf, PageQuery } from "./Paging.ts"

export const NewPhoneNumber = body("NewPhoneNumber", {
  number: PhoneNumber.fields.number,
  label: Schema.optionalWith(PhoneNumber.fields.label, { default: () => null })
})

const Path = Schema.Struct({ phone_number_id: Id("The phone number's id") })

const add = HttpApiEndpoint.post("add", "/phone-numbers")
  .setPayload(NewPhoneNumber)
  .addSuccess(PhoneNumber)
  .addError(Errors.Conflict)
  .middleware(JsonBody)
  .middleware(needs("phone_numbers:write"))
  .annotateContext(
    operation("addPhoneNumber", {
      summary: "Add a phone number",
      description:
        "Registers a number that the workspace may dial from. Calls that name none use the oldest.",
      scope: "phone_numbers:write",
      request: { number: "+14155550100", label: "Front desk" },
      response: Examples.phoneNumber,
      failures: { 409: new PhoneNumberTaken() },
      errors: { 409: "The workspace has the number already" }
    })
  )

const list = HttpApiEndpoint.get("list", "/phone-numbers")
  .setUrlParams(PageQuery)
  .addSuccess(PageOf("PhoneNumberPage", PhoneNumber))
  .middleware(needs("phone_numbers:read"))
  .annotateContext(
    operation("listPhoneNumbers", {
      summary: "List phone numbers",
      description: "The workspace's own numbers, newest first.",
      scope: "phone_numbers:read",
      response: Examples.pageOf(Examples.phoneNumber)
    })
  )

const get = HttpApiEndpoint.get("get", "/phone-numbers/:phone_number_id")
  .setPath(Path)
  .addSuccess(PhoneNumber)
  .addError(Errors.NotFound)
  .middleware(needs("phone_numbers:read"))
  .annotateContext(
    operation("getPhoneNumber", {
      summary: "Read a phone number",
      description: "One of the workspace's own numbers.",
      scope: "phone_numbers:read",
      response: Examples.phoneNumber
    })
  )

export const PhoneNumberChange = body("PhoneNumberChange", { label: PhoneNumber.fields.label })

const update = HttpApiEndpoint.patch("update", "/phone-numbers/:phone_number_id")
  .setPath(Path)
  .setPayload(PhoneNumberChange)
  .addSuccess(PhoneNumber)
  .addError(Errors.NotFound)
  .middleware(JsonBody)
  .middleware(needs("phone_numbers:write"))
  .annotateContext(
    operation("updatePhoneNumber", {
      summary: "Change a phone number's label",
      description: "The label is for people: nothing goes by it. Null takes it away.",
      scope: "phone_numbers:write",
      request: { label: "Front desk" },
      response: Examples.phoneNumber
    })
  )

const remove = HttpApiEndpoint.del("remove", "/phone-numbers/:phone_number_id")
  .setPath(Path)
  .addSuccess(Deleted)
  .addError(Errors.NotFound)
  .addError(Errors.Conflict)
  .middleware(needs("phone_numbers:write"))
  .annotateContext(
    operation("removePhoneNumber", {
      summary: "Remove a phone number",
      description: "Calls that were to be dialled from it fail when they are dialled.",
      scope: "phone_numbers:write",
      response: Examples.deleted(Examples.ids.number),
      failures: { 409: new PhoneNumberInUse({ campaign_id: Examples.ids.campaign }) },
      errors: { 409: "A running campaign dials from it: `details.campaign_id` is one that does" }
    })
  )

export const PhoneNumbersGroup = HttpApiGroup.make("phone_numbers")
  .add(add)
  .add(list)
  .add(available)
  .add(get)
  .add(update)
  .add(remove)
  .annotateContext(
    OpenApi.annotations({
      title: "Phone numbers",
      description:
        "The numbers that a workspace dials from, and those that could be bought. All but browsing the latter " +
        "are additions."
    })
  )
