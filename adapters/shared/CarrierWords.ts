import { maskNumber } from "../../core/model/numbers/Masking.ts"

const most = 300

/** Digits as in telephone numbers, with what is written between them. */
const number = /\+?\(?\d(?:[\s().-]*\d){6,}/g

/** Words of letters and digits that may be keys, tokens or account ids. */
const opaque = /\b(?=\w*\d)(?=\w*[A-Za-z])\w{16,}\b/g

/** A provider's own error message as it may be shown: numbers masked, without ids or keys, at most 300 characters. */
export const carrierWords = (text: string | null | undefined): string | null => {
  const words = (text ?? "")
    .replace(/[\p{Cc}\s]+/gu, " ")
    .replace(opaque, "…")
    .replace(number, (found) => maskNumber(found.replace(/[^\d+]/g, "")))
    .toWellFormed()
    .trim()
  if (words === "") return null
  return words.length <= most ? words : `${words.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, "")}…`
}
