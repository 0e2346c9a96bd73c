import { Schema } from "effect"
import { CallRecord } from "../calls/Call.ts"
import { RecipientRecord } from "../campaigns/Recipient.ts"
import { Transcript } from "../conversations/Session.ts"
import { Recording } from "../recordings/Recording.ts"

/** What was erased of a person. */
export const Erased = Schema.Struct({
  calls: Schema.Int.annotations({ description: "Calls and messages" }),
  recipients: Schema.Int,
  recordings: Schema.Int,
  transcripts: Schema.Int,
  under_way: Schema.Int.annotations({
    description: "Calls and messages that are not over, and were left: ask again when they are"
  })
}).annotations({ identifier: "ErasedPerson" })
export type Erased = typeof Erased.Type

/** Everything that is kept of a person. */
export const PersonExport = Schema.Struct({
  calls: Schema.Array(
    Schema.Struct({
      call: CallRecord,
      transcripts: Schema.Array(Transcript),
      recordings: Schema.Array(Recording)
    }).annotations({ identifier: "PersonCall" })
  ),
  recipients: Schema.Array(RecipientRecord),
  on_do_not_call_list: Schema.Boolean
}).annotations({ identifier: "PersonExport" })

/** The body of a webhook event whose call was erased. */
export const erasedBody = (id: string, event_type: string): string =>
  JSON.stringify({ id, event_type, erased: true })
