import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import { Stream } from "effect"

/** What a spreadsheet takes for a formula. Source: OWASP, "CSV Injection". */
const formula = /^[=+\-@\t\r\n]/

/** Source: RFC 4180. A semicolon is quoted too, since spreadsheets of many countries take it for a comma. */
const cellOf = (text: string): string => {
  const harmless = formula.test(text) ? `'${text}` : text
  return /[",;\t\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/** Cells of a line of CSV text. */
export const cellsOf = (texts: ReadonlyArray<string>) => texts.map(cellOf).join(",")

/** A line of CSV text. */
export const lineOf = (texts: ReadonlyArray<string>) => `${cellsOf(texts)}\r\n`

/** A CSV file to be kept. */
export const attached = (text: Stream.Stream<string>, filename: string) =>
  HttpServerResponse.stream(Stream.encodeText(text), {
    contentType: "text/csv; charset=utf-8",
    headers: { "content-disposition": `attachment; filename="${filename}"` }
  })
