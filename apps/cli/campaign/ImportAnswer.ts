import { Data, Either } from "effect"

/** The bytes are not the answer to an import, or not all of it. */
export class AnswerBroken extends Data.TaggedError("AnswerBroken")<{ readonly message: string }> {}

export interface ImportAnswer {
  /** How many recipients the answer listed. */
  readonly recipients: number
  /** The import's record, as JSON text. */
  readonly text: string
}

/** Reads an answer and counts its recipients without keeping them, so that it need not fit into memory. */
export interface Reader {
  /** Takes the next bytes, cut anywhere. The caller may change them afterwards. */
  readonly push: (bytes: Uint8Array) => void
  /** Recipients so far. */
  readonly recipients: () => number
  /** To be called once all bytes were pushed. */
  readonly end: () => Either.Either<ImportAnswer, AnswerBroken>
}

const quote = 0x22
const comma = 0x2c
const colon = 0x3a
const openBracket = 0x5b
const backslash = 0x5c
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d
const space = 0x20

/** The place in the outermost object. */
type Place = "before" | "key" | "colon" | "value" | "after" | "wrong"

/** JSON's structure is ASCII, and UTF-8 uses those bytes for nothing else. */
export const make = (): Reader => {
  let place: Place = "before"
  let inString = false
  let escaped = false
  /** The last key of the outermost object. */
  let key = ""
  /** Whether the value of that key has begun, and how deep the reader is in it. */
  let begun = false
  let depth = 0
  let isCounted = false
  let isElement = false
  let recipients = 0
  /** The earlier bytes of a key or value that began in them; it goes on at `from` in these bytes. */
  let kept: Array<Uint8Array> | null = null
  let from = 0
  let text: string | null = null

  const keepFrom = (at: number) => {
    kept = []
    from = at
  }

  const keptUntil = (bytes: Uint8Array, at: number): string => {
    const whole = Buffer.concat([...(kept ?? []), bytes.subarray(from, at)]).toString("utf8")
    kept = null
    return whole
  }

  const keyEnds = (quoted: string) => {
    const name = Either.try(() => JSON.parse(quoted) as string)
    key = Either.getOrElse(name, () => "")
    place = Either.isRight(name) ? "colon" : "wrong"
  }

  const inText = (bytes: Uint8Array, at: number, code: number) => {
    if (escaped) escaped = false
    else if (code === backslash) escaped = true
    else if (code === quote) {
      inString = false
      if (place === "key") keyEnds(keptUntil(bytes, at + 1))
    }
  }

  const valueBegins = (at: number) => {
    place = "value"
    begun = false
    if (key === "import") keepFrom(at)
  }

  const valueEnds = (bytes: Uint8Array, at: number, code: number) => {
    if (kept !== null) text = keptUntil(bytes, at).trim()
    place = !begun ? "wrong" : code === comma ? "key" : "after"
  }

  const inValue = (bytes: Uint8Array, at: number, code: number) => {
    if (depth === 0 && (code === comma || code === closeBrace)) return valueEnds(bytes, at, code)
    if (!begun) {
      begun = true
      isCounted = key === "recipients" && code === openBracket
      isElement = false
    } else if (isCounted && depth === 1) {
      if (code === comma) isElement = false
      else if (!isElement && code !== closeBracket) {
        isElement = true
        recipients += 1
      }
    }
    if (code === quote) inString = true
    else if (code === openBrace || code === openBracket) depth += 1
    else if (code === closeBrace || code === closeBracket) depth -= 1
  }

  const around = (at: number, code: number) => {
    if (place === "before" && code === openBrace) place = "key"
    else if (place === "key" && code === closeBrace) place = "after"
    else if (place === "key" && code === quote) {
      inString = true
      keepFrom(at)
    } else if (place === "colon" && code === colon) valueBegins(at + 1)
    else place = "wrong"
  }

  const push = (bytes: Uint8Array): void => {
    if (place === "wrong") return
    from = 0
    for (let at = 0; at < bytes.length; at++) {
      const code = bytes[at]!
      if (inString) inText(bytes, at, code)
      else if (code <= space) continue
      else if (place === "value") inValue(bytes, at, code)
      else around(at, code)
    }
    kept?.push(Buffer.from(bytes.subarray(from)))
  }

  const broken = (message: string) => Either.left(new AnswerBroken({ message }))

  const end = (): Either.Either<ImportAnswer, AnswerBroken> => {
    if (place === "wrong") return broken("it is not the answer to an import")
    if (place !== "after") return broken("it ended early")
    return text === null ? broken("it tells nothing of the import") : Either.right({ recipients, text })
  }

  return { push, recipients: () => recipients, end }
}
