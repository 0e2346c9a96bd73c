import { type Buffer, isUtf8 } from "node:buffer"
import { damaged, Refusal } from "./Refusal.ts"

/** A part that is XML which a spreadsheet program writes: UTF-8, with no type declaration and no entities. */
export const checked = (part: Buffer): Buffer => {
  if (part.includes(0) || !isUtf8(part)) {
    throw new Refusal("the .xlsx spreadsheet's parts are not UTF-8: save it again in a spreadsheet program")
  }
  if (part.includes("<!DOCTYPE") || part.includes("<!ENTITY")) throw damaged()
  return part
}

const named: Record<string, string> = { amp: "&", apos: "'", gt: ">", lt: "<", quot: '"' }

const unescape = (value: string): string =>
  value.replaceAll(/&(amp|apos|gt|lt|quot);/g, (_, name: string) => named[name]!)

/**
 * The tags of a local name that a text has, whatever their prefix: the attributes of each, by their names, where
 * a prefix is part of the name.
 */
export const tagsOf = (text: string, name: string): ReadonlyArray<ReadonlyMap<string, string>> =>
  [...text.matchAll(new RegExp(`<(?:\\w+:)?${name}\\b([^<>]*)>`, "g"))].map(
    ([, attributes]) =>
      new Map(
        [...attributes!.matchAll(/(?<=\s)([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)].map(
          ([, key, double, single]) => [key!, unescape(double ?? single ?? "")]
        )
      )
  )

/** The first element of a local name, as it stands: without what is around it. Null when there is none. */
export const elementOf = (part: Buffer, name: string): Buffer | null => {
  for (let at = part.indexOf(name); at !== -1; at = part.indexOf(name, at + 1)) {
    const open = part.lastIndexOf("<", at)
    const prefix = part.toString("latin1", open + 1, at)
    const boundary = part.toString("latin1", at + name.length, at + name.length + 1)
    if (open === -1 || !/^(?:\w+:)?$/.test(prefix) || !/^[\s/>]$/.test(boundary)) continue
    const tagEnd = part.indexOf(">", at)
    if (tagEnd === -1) return null
    if (part[tagEnd - 1] === 0x2f) return part.subarray(open, tagEnd + 1)
    const close = `</${prefix}${name}>`
    const end = part.indexOf(close, tagEnd)
    return end === -1 ? null : part.subarray(open, end + close.length)
  }
  return null
}
