import { Effect, Schema } from "effect"
import { toJson as callJson } from "../../../core/model/calls/Call.ts"
import { toJson as recipientJson } from "../../../core/model/campaigns/Recipient.ts"
import { Transcript } from "../../../core/model/conversations/Session.ts"
import { toJson as recordingJson } from "../../../core/model/recordings/Recording.ts"
import { People, type Person, type PersonCall } from "../../../core/usecases/People.ts"
import { Api } from "../contract/Api.ts"
import * as Json from "./Json.ts"
import * as Operations from "./Operations.ts"

const encodeTranscripts = Schema.encodeSync(Schema.Array(Transcript))

const callText = ({ call, recordings, transcripts }: PersonCall) =>
  `{"call":${callJson(call)},"transcripts":${JSON.stringify(encodeTranscripts(transcripts))}` +
  `,"recordings":[${recordings.map(recordingJson).join(",")}]}`

/** What was supplied as JSON is there byte for byte. */
const textOf = ({ calls, on_do_not_call_list, recipients }: Person) =>
  `{"calls":[${calls.map(callText).join(",")}],"recipients":[${recipients.map(recipientJson).join(",")}]` +
  `,"on_do_not_call_list":${on_do_not_call_list}}`

export const layer = Operations.group(
  Api,
  "people",
  Effect.fnUntraced(function* (handlers) {
    const people = yield* People
    return handlers
      .handle("erase", ({ payload }) => Json.inWorkspace((id) => people.erase(id, payload.phone_number)))
      .handle("export", ({ payload }) =>
        Json.inWorkspace((id) =>
          Effect.map(people.collect(id, payload.phone_number), (person) => Json.json(textOf(person)))
        )
      )
  })
)
