import { Schema, Stream } from "effect"
import {
  type CampaignImport,
  ImportRecord,
  type RowError
} from "../../../core/model/campaigns/CampaignImport.ts"
import { toJson } from "../../../core/model/campaigns/Recipient.ts"
import type { ImportPart } from "../../../core/usecases/Imports.ts"

/** Errors of one piece of text. */
const slice = 1_000

/** A record with its errors as JSON text in pieces: a file may have an error for each of a million rows. */
export const withErrors = function* (
  record: Readonly<Record<string, unknown>>,
  errors: ReadonlyArray<RowError>
): Generator<string> {
  yield `${JSON.stringify(record).slice(0, -1)},"errors":[`
  for (let at = 0; at < errors.length; at += slice) {
    yield (at === 0 ? "" : ",") + JSON.stringify(errors.slice(at, at + slice)).slice(1, -1)
  }
  yield "]}"
}

const encode = Schema.encodeSync(ImportRecord.omit("errors"))

const importOf = function* (campaignImport: CampaignImport) {
  yield `],"import":`
  yield* withErrors(encode(campaignImport), campaignImport.errors)
  yield "}"
}

/** The answer to an upload as JSON text, piece by piece. Source: contract, "POST recipients/import". */
export const texts = <E>(parts: Stream.Stream<ImportPart, E>): Stream.Stream<string, E> =>
  Stream.suspend(() => {
    let begun = false
    const separator = () => {
      const text = begun ? "," : `{"recipients":[`
      begun = true
      return text
    }
    return Stream.flatMap(parts, (part) =>
      part._tag === "Recipients"
        ? Stream.succeed(separator() + part.recipients.map(toJson).join(","))
        : Stream.concat(
            begun ? Stream.empty : Stream.succeed(separator()),
            Stream.fromIteratorSucceed(importOf(part.campaignImport), 1)
          )
    )
  })
