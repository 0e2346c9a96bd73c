import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import { E164 } from "../../../core/model/numbers/PhoneNumber.ts"
import { Erased, PersonExport } from "../../../core/model/people/Person.ts"
import { needs } from "./Authentication.ts"
import * as Examples from "./CampaignExamples.ts"
import { completedCall } from "./Examples.ts"
import { JsonBody } from "./JsonBody.ts"
import { body, operation } from "./Operation.ts"

export const PersonNumber = body("PersonNumber", { phone_number: E164 })

const request = { phone_number: "+14155550123" }

const erase = HttpApiEndpoint.post("erase", "/people/erase")
  .setPayload(PersonNumber)
  .addSuccess(Erased)
  .middleware(JsonBody)
  .middleware(needs("people:write"))
  .annotateContext(
    operation("erasePerson", {
      summary: "Erase a person",
      description:
        "Erases what the workspace keeps of the person behind a number: recordings, transcripts, names, variables, " +
        "metadata, idempotency keys, messages, the number itself, and the bodies of webhook events. Records of calls and " +
        "recipients stay with their times, outcomes and charges, with an empty number. An entry of the do-not-call list " +
        "stays too, as a keyed hash of the number: imports and dials of it are still refused. Recipients that are still to be called are skipped. Calls " +
        "under way are left and counted: ask again when they are over. Asking twice, also after an interruption, erases " +
        "what is left.",
      scope: "people:write",
      request,
      response: { calls: 3, recipients: 1, recordings: 2, transcripts: 2, under_way: 0 }
    })
  )

const collect = HttpApiEndpoint.post("export", "/people/export")
  .setPayload(PersonNumber)
  .addSuccess(PersonExport)
  .middleware(JsonBody)
  .middleware(needs("people:write"))
  .annotateContext(
    operation("exportPerson", {
      summary: "Export what is kept of a person",
      description:
        "Everything that the workspace keeps of the person behind a number: calls and messages with their transcripts " +
        "and recordings, and the recipients of all campaigns. It is a POST, so that the number stands in no log of " +
        "addresses.",
      scope: "people:write",
      request,
      response: {
        calls: [{ call: completedCall, transcripts: [], recordings: [] }],
        recipients: [Examples.recipient],
        on_do_not_call_list: false
      }
    })
  )

export const PeopleGroup = HttpApiGroup.make("people")
  .add(erase)
  .add(collect)
  .annotateContext(
    OpenApi.annotations({
      title: "People",
      description: "What a person may ask for: what is kept of them, and that it is erased. An addition."
    })
  )
