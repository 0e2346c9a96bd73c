import { Brand } from "effect"
import { isStorable } from "../Codecs.ts"

/** JSON text exactly as it was supplied: digits, key order and duplicate keys included. */
export type RawJson = string & Brand.Brand<"RawJson">
export const RawJson = Brand.nominal<RawJson>()

/** Bytes of a text in UTF-8. */
export const byteLength = (value: string): number => {
  let bytes = 0
  for (let i = 0; i < value.length; i++) {
    const code = value.charCodeAt(i)
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code >= 0xd800 && code <= 0xdfff ? 2 : 3
  }
  return bytes
}

/** Whether a text has more bytes in UTF-8. They are counted where its length leaves that open. */
export const isLongerThan = (value: string, bytes: number): boolean =>
  value.length * 3 > bytes && byteLength(value) > bytes

const tab = 0x09
const lineFeed = 0x0a
const carriageReturn = 0x0d
const space = 0x20
const quote = 0x22
const comma = 0x2c
const colon = 0x3a
const openBracket = 0x5b
const backslash = 0x5c
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

const isSpace = (code: number) =>
  code === space || code === lineFeed || code === carriageReturn || code === tab

const skipSpace = (text: string, from: number): number => {
  let at = from
  while (isSpace(text.charCodeAt(at))) at++
  return at
}

/** The position after the string that opens at `from`. */
const stringEnd = (text: string, from: number): number => {
  for (let at = from + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) return at + 1
    if (code === backslash) at++
  }
  return text.length
}

/** The position after the value that begins at `from`. */
const valueEnd = (text: string, from: number): number => {
  let level = 0
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) at = stringEnd(text, at) - 1
    else if (code === openBrace || code === openBracket) level++
    else if (code === closeBrace || code === closeBracket) {
      if (level === 0) return at
      level--
    } else if (level === 0 && (code === comma || isSpace(code))) return at
  }
  return text.length
}

/**
 * The raw text of each property of a JSON object, in order of first appearance, without the whitespace around
 * it. Of a key that comes twice the last value counts, as in `JSON.parse`. The text must be valid JSON; one
 * that is no object has no properties.
 */
export const topLevel = (text: string): ReadonlyMap<string, RawJson> => {
  const slices = new Map<string, RawJson>()
  let at = skipSpace(text, 0)
  if (text.charCodeAt(at) !== openBrace) return slices
  at = skipSpace(text, at + 1)
  while (text.charCodeAt(at) === quote) {
    const keyEnd = stringEnd(text, at)
    const bare = text.slice(at + 1, keyEnd - 1)
    const key = bare.includes("\\") ? (JSON.parse(text.slice(at, keyEnd)) as string) : bare
    at = skipSpace(text, keyEnd)
    if (text.charCodeAt(at) === colon) at = skipSpace(text, at + 1)
    const end = valueEnd(text, at)
    slices.set(key, RawJson(text.slice(at, end)))
    at = skipSpace(text, end)
    if (text.charCodeAt(at) === comma) at = skipSpace(text, at + 1)
  }
  return slices
}

/** The raw text of each element of a JSON array, in order; the text must be valid JSON. */
export const elements = (text: string): ReadonlyArray<RawJson> => {
  const slices: Array<RawJson> = []
  let at = skipSpace(text, 0)
  if (text.charCodeAt(at) !== openBracket) return slices
  at = skipSpace(text, at + 1)
  while (at < text.length && text.charCodeAt(at) !== closeBracket) {
    const end = valueEnd(text, at)
    slices.push(RawJson(text.slice(at, end)))
    at = skipSpace(text, end)
    if (text.charCodeAt(at) === comma) at = skipSpace(text, at + 1)
  }
  return slices
}

/** How deeply arrays and objects nest in a JSON text: 0 for a scalar, 1 for `{}`, 2 for `[[]]`. */
export const depth = (text: string): number => {
  let deepest = 0
  let level = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) at = stringEnd(text, at) - 1
    else if (code === openBrace || code === openBracket) {
      if (++level > deepest) deepest = level
    } else if (code === closeBrace || code === closeBracket) level--
  }
  return deepest
}

/** Whether a JSON text is nested deeper. A level takes two characters at least. */
export const isDeeperThan = (text: string, levels: number): boolean =>
  text.length > 2 * levels && depth(text) > levels

/** Whether a parsed JSON value has, in a string or a key at any depth, what no store can hold. */
export const hasNulOrLoneSurrogate = (value: unknown): boolean => {
  const rest: Array<unknown> = [value]
  while (rest.length > 0) {
    const next = rest.pop()
    if (typeof next === "string") {
      if (!isStorable(next)) return true
    } else if (Array.isArray(next)) {
      for (const item of next) rest.push(item)
    } else if (typeof next === "object" && next !== null) {
      for (const [key, item] of Object.entries(next)) {
        if (!isStorable(key)) return true
        rest.push(item)
      }
    }
  }
  return false
}
