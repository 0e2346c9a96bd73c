/** What is never split or read in one piece beyond this many characters. */
const longest = 400

const abbreviation =
  /(?:^|\s)(?:Dr|Mr|Mrs|Ms|St|Prof|No|vs|approx|e\.g|i\.e|(?:am|den|vom|zum|bis|der) \d{1,2})\.$/i
const boundary = /(?<=[.!?…]["'”’)]{0,3})\s+(?=\S)|(?<=[。！？।؟])\s*(?=\S)|[\r\n]+/u
const bullet = /^(?:[-*•#>]+|\d{1,2}[.)])\s+/

/** At most `most` characters, cut after a word where there is one, never within a character. */
export const cut = (text: string, most: number): string => {
  if (text.length <= most) return text
  const head = text.slice(0, most)
  const space = head.lastIndexOf(" ")
  return (space > most / 2 ? head.slice(0, space) : head).replace(/[\uD800-\uDBFF]$/, "").trimEnd()
}

/** The sentences of a text, without bullets, each at most 400 characters; at most `most` of them. */
export const sentencesOf = (text: string, most = 1_000): ReadonlyArray<string> => {
  const sentences: Array<string> = []
  for (const piece of text.replaceAll(/[ \t]+/g, " ").split(boundary)) {
    const last = sentences.at(-1)
    if (last !== undefined && abbreviation.test(last.slice(-10))) {
      sentences[sentences.length - 1] = cut(`${last} ${piece.trim()}`, longest)
      continue
    }
    const sentence = cut(piece.trim().replace(bullet, ""), longest)
    if (/[\p{L}\p{N}]/u.test(sentence) || sentence.includes("___")) sentences.push(sentence)
    if (sentences.length >= most) break
  }
  return sentences
}

const word = /[\p{L}\p{N}]+(?:['’][\p{L}]+)*/gu

/** Words in lower case, in order. */
export const wordsOf = (text: string): ReadonlyArray<string> =>
  text.toLowerCase().replaceAll("’", "'").match(word) ?? []

const stopwords = new Set(
  `a about after again all also am an and any are as at back be because been before but by can could did do does doing
  don't down each for from get give go going got had has have he hello her here hers hi him his how i i'd i'll i'm i've if in
  into is it it's its just know let let's like may me mine more much must my no not now of off ok okay on once one only or
  other our ours out over own per please right said same say says she should so some such take tell than thank thanks that
  that's the their theirs them then there there's these they thing this those to too under until up us use very want was we
  well were what what's when where whether which while who whom why will with would yes you you're your yours call calling
  called speak speaking talk sure fine good really make made need something anything everything nothing time way
  someone anyone person customer customers caller callers callee user users client clients agent`.split(/\s+/)
)

/** A crude English stem: enough for "scheduling", "scheduled" and "schedules" to meet. */
export const stem = (given: string): string => {
  let text = given.endsWith("'s") ? given.slice(0, -2) : given
  if (text.length > 8 && text.endsWith("ation")) text = text.slice(0, -5)
  else if (text.length > 6 && text.endsWith("ment")) text = text.slice(0, -4)
  else if (text.length > 4 && text.endsWith("ies")) text = `${text.slice(0, -3)}y`
  else if (text.length > 5 && text.endsWith("ing")) text = text.slice(0, -3)
  else if (text.length > 4 && text.endsWith("ed")) text = text.slice(0, -2)
  else if (text.length > 3 && text.endsWith("s") && !text.endsWith("ss")) text = text.slice(0, -1)
  if (text.length > 3 && text.endsWith("e")) text = text.slice(0, -1)
  return text.length > 3 && text.at(-1) === text.at(-2) ? text.slice(0, -1) : text
}

/** The stems of the words that carry the meaning. */
export const stemsOf = (text: string): ReadonlySet<string> => {
  const stems = new Set<string>()
  for (const word of wordsOf(text)) if (!stopwords.has(word)) stems.add(stem(word))
  return stems
}

/** How many of `sought` are in `within`. */
export const shared = (sought: ReadonlySet<string>, within: ReadonlySet<string>): number => {
  let count = 0
  for (const stem of sought) if (within.has(stem)) count++
  return count
}

/** Whether a text with the stems `within` is about what has the stems `sought`: half of up to eight are there. */
export const isAbout = (within: ReadonlySet<string>, sought: ReadonlySet<string>): boolean =>
  sought.size > 0 && shared(sought, within) * 2 >= Math.min(sought.size, 8)

/** FNV-1a, 32 bits. */
export const hash = (text: string): number => {
  let value = 0x811c9dc5
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193)
  return value >>> 0
}

export const pick = <A>(list: ReadonlyArray<A>, index: number): A => list[index % list.length]!

export const capital = (text: string): string => {
  const first = String.fromCodePoint(text.codePointAt(0) ?? 32)
  return text === "" ? text : first.toUpperCase() + text.slice(first.length)
}

/** Without the punctuation that ends it. */
export const bare = (text: string): string => text.trim().replace(/[\s.,;:!?…。！？]+$/u, "")

/** Closed as a sentence is. */
export const sentence = (text: string): string => {
  const closed = bare(text)
  return closed === "" ? "" : capital(/[!?…]["'”’)]*$/u.test(text.trim()) ? text.trim() : `${closed}.`)
}

/** Speaks to the person of whom a prompt speaks: "their date of birth" becomes "your date of birth". */
export const addressed = (text: string): string =>
  text
    .replaceAll(
      /\b(?:the|each|every|a) (?:customer|caller|callee|patient|client|user|recipient|lead|person|guest|tenant|member|subscriber|prospect|contact|candidate)['’]s\b/gi,
      "your"
    )
    .replaceAll(
      /\b(?:the|each|every|a) (?:customer|caller|callee|patient|client|user|recipient|lead|person|guest|tenant|member|subscriber|prospect|contact|candidate) (?:is|has|wants|needs|would|can)\b/gi,
      (found) => {
        const verb = found.slice(found.lastIndexOf(" ") + 1)
        return `you ${{ is: "are", has: "have", wants: "want", needs: "need" }[verb] ?? verb}`
      }
    )
    .replaceAll(
      /\b(?:(?:the|each|every|a) (?:customer|caller|callee|patient|client|user|recipient|lead|person|guest|tenant|member|subscriber|prospect|contact|candidate)|them|they|him)\b/gi,
      "you"
    )
    .replaceAll(/\b(?:their|his|her)\b/gi, "your")
    .replaceAll(/\b(?:he|she) (?:is|has|wants)\b/gi, (found) =>
      found.endsWith("is") ? "you are" : found.endsWith("has") ? "you have" : "you want"
    )
    .replaceAll(/\b(?:he|she)\b/gi, "you")

const swaps: Readonly<Record<string, string>> = {
  "you are": "I am",
  "you're": "I'm",
  "you were": "I was",
  "you have": "I have",
  "you've": "I've",
  you: "I",
  your: "my",
  yours: "mine",
  yourself: "myself"
}

/** Makes one's own what instructions say: "You are a dentist" becomes "I am a dentist". */
export const owned = (text: string): string =>
  text.replaceAll(
    /\b(?:(?:to|for|with|at|on|from|by|than|calls?|ask|asks|tell|tells|gives?) you(?!['’])\b|you are|you were|you have|you['’]re|you['’]ve|yourself|yours|your|you)\b/gi,
    (found) => {
      const key = found.toLowerCase().replaceAll("’", "'")
      const whole = swaps[key]
      return whole ?? `${found.slice(0, -3)}me`
    }
  )
