import { Schema, Stream } from "effect"
import {
  type CampaignImport,
  ImportRecord,
  type RowError
} from "../../../core/model/campaigns/CampaignImport.ts"
import { toJson } from "../../../core/model/campaigns/Recipient.ts"
import type { ImportPart } from "../../../core/usecases/Imports.ts"
import { lineOf } from "./Csv.ts"

/** Errors of one piece of text. */
const slice = 1_000

/** A record with its errors as JSON text in pieces. */
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

/** The record with a link to its errors, as requests below a base path have it. */
export const linked = <A extends Pick<CampaignImport, "campaign_id" | "id" | "rejected_rows">>(
  record: A,
  basePath: string
) => ({
  ...record,
  errors_url:
    record.rejected_rows === 0
      ? null
      : `${basePath}/campaigns/${record.campaign_id}/imports/${record.id}/errors.csv`
})

const importOf = function* (campaignImport: CampaignImport, basePath: string) {
  yield `],"import":`
  yield* withErrors(linked(encode(campaignImport), basePath), campaignImport.errors)
  yield "}"
}

/** All errors as CSV text. */
export const errorLines = (errors: Stream.Stream<ReadonlyArray<RowError>>): Stream.Stream<string> =>
  Stream.concat(
    Stream.succeed(lineOf(["row", "error", "value"])),
    Stream.map(errors, (slice) =>
      slice.map(({ error, row, value }) => lineOf([String(row), error, value])).join("")
    )
  )

/** The answer to an upload as JSON text, piece by piece. Source: contract, "POST recipients/import". */
export const texts = <E>(parts: Stream.Stream<ImportPart, E>, basePath: string): Stream.Stream<string, E> =>
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
            Stream.fromIteratorSucceed(importOf(part.campaignImport, basePath), 1)
          )
    )
  })
