import { addressed, bare, cut, wordsOf } from "./Text.ts"

const functionWords = new Set(
  "the a an you your to and or of in on for is are be with if not do it that this their them they as at by from will can should when ask never always nothing anything".split(
    " "
  )
)

/** Whether the text reads as English: enough of its words are the little ones of that language. */
export const isEnglish = (sentences: ReadonlyArray<string>): boolean => {
  const words = wordsOf(sentences.slice(0, 40).join(" "))
  const little = words.filter((word) => functionWords.has(word)).length
  return little >= 1 && little * 8 >= words.length
}

const purpose =
  /\b(?:goals?|tasks?|jobs?|aims?|purposes?|missions?|objectives?|dut(?:y|ies))\b[^.:]{0,60}?(?:\bis\b|\bare\b|:)\s*(?:to\s+)?(.{4,})/i
const call =
  /\b(?:call(?:s|ing)?|phon(?:e|es|ing)|ring(?:s|ing)?|contact(?:s|ing)?|reach(?:es|ing)? out|speak(?:s|ing)? (?:to|with)|talk(?:s|ing)? (?:to|with)|help(?:s|ing)?|assist(?:s|ing)?|need(?:s)?|want(?:s)?|have|try)\b.{0,160}?\bto (?!the\b|a\b|an\b|our\b|your\b|their\b|them\b|him\b|her\b|you\b|me\b|it\b|be\b|\{|[A-Z[<])([a-z].{3,})/
const about =
  /\b(?:call(?:s|ing)?|phon(?:e|es|ing)|contact(?:s|ing)?)\b.{0,120}?\b(?:about|regarding|concerning)\s+(.{3,})/i
const trade =
  /\b(?:who|that|which|and)\s+(book|confirm|schedule|collect|verif(?=ie)|remind|invite|sell|take|handle|answer|arrange|offer|qualif(?=ie))(?:ie)?s\s+(.{3,})/i
const deed =
  /^(?:please |always |first,? |then |politely |kindly )*(confirm|book|schedule|reschedule|collect|verify|remind|invite|sell|qualify|survey|find out|check|inform|notify|offer|arrange|follow up|gather|conduct|persuade|convince|explain|recover|interview|thank|welcome|promote|present|announce|warn|set up|order|pitch|ask|tell|get|request|demand|make sure)\b\s+(.{3,})$/i

const gap =
  /\s*\b(?:on behalf of|on|at|for|from|of|with|in|by|named|called|about|to)\s*(?=[.,;:!?]|$|\b(?:on|at|to|for|from|of|with|in|by|and)\b\s)/gi

/** A goal without the places that empty variables left, and without what is added on. */
const trimmed = (text: string): string => {
  const whole = bare(text.split(/\s*(?:;|, (?:and|then|but)\b)/, 1)[0] ?? "")
  const closed = `${whole}.`.replaceAll(/ {2,}/g, " ").replaceAll(gap, "")
  return cut(addressed(bare(closed)), 200)
}

/**
 * What the call is for, to go after "I am calling to"; null when the prompt does not tell. A prompt in another
 * language is taken to begin with it.
 */
export const goalIn = (sentences: ReadonlyArray<string>, english: boolean): string | null => {
  if (!english) {
    const first = sentences.find(
      (sentence) =>
        wordsOf(sentence).length >= 3 || /[\u3040-\u30ff\u4e00-\u9fff\u0e00-\u0e7f]{8}/.test(sentence)
    )
    return first === undefined ? null : bare(first)
  }
  for (const form of [purpose, call]) {
    for (const sentence of sentences) {
      const goal = trimmed(form.exec(sentence.slice(0, 1).toLowerCase() + sentence.slice(1))?.[1] ?? "")
      if (wordsOf(goal).length > 1) return goal
    }
  }
  for (const sentence of sentences) {
    const subject = trimmed(about.exec(sentence)?.[1] ?? "")
    if (subject !== "") return `talk about ${subject}`
    const [, verb, object] = trade.exec(sentence) ?? []
    if (verb !== undefined) return trimmed(`${verb.replace(/if$/, "ify")} ${object}`)
  }
  for (const sentence of sentences) {
    const [, verb, object] = deed.exec(sentence) ?? []
    if (verb !== undefined)
      return trimmed(`${verb.toLowerCase()} ${object}`).replace(/^ask you (?:for|about)/, "ask about")
  }
  return null
}
