import { Chunk, Stream } from "effect"
import type { RowError } from "../../../core/model/campaigns/CampaignImport.ts"

/** A cell that a spreadsheet reads as a formula. Source: OWASP, "CSV Injection". */
const formula = /^[=+\-@\t\r\n]/

const cellOf = (text: string): string => {
  const harmless = formula.test(text) ? `'${text}` : text
  return /[",;\t\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

const lineOf = (cells: ReadonlyArray<string>) => `${cells.map(cellOf).join(",")}\r\n`

/** Row errors as a CSV file. A cell that a spreadsheet would calculate gets an apostrophe. Source: RFC 4180. */
export const ofErrors = (errors: ReadonlyArray<RowError>): Stream.Stream<Uint8Array> =>
  Stream.concat(
    Stream.make(lineOf(["row", "error", "value"])),
    Stream.map(Stream.fromIterable(errors), ({ error, row, value }) => lineOf([String(row), error, value]))
  ).pipe(
    Stream.rechunk(1_000),
    Stream.mapChunks((lines) => Chunk.of(Chunk.join(lines, ""))),
    Stream.encodeText
  )

const quote = 0x22
const lineFeed = 0x0a

/** Counts the records of a CSV file as its bytes pass. A line break in quotes ends no record. */
export const counter = () => {
  let inQuotes = false
  let records = 0
  let open = false
  return {
    push: (bytes: Uint8Array): void => {
      for (const code of bytes) {
        if (code === quote) inQuotes = !inQuotes
        open = inQuotes || code !== lineFeed
        if (!open) records += 1
      }
    },
    /** Records so far, the header included. */
    count: (): number => records + (open ? 1 : 0)
  }
}
