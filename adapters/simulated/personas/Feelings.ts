import type { Sentiment } from "../../../core/model/conversations/Review.ts"
import { wordsOf } from "./Text.ts"

interface Words {
  readonly good: ReadonlySet<string>
  readonly bad: ReadonlySet<string>
  /** What turns the word after it, or the one after that, into its contrary. */
  readonly not: ReadonlySet<string>
}

const words = (good: string, bad: string, not: string): Words => ({
  good: new Set(good.split(/\s+/)),
  bad: new Set(bad.split(/\s+/)),
  not: new Set(not.split(/\s+/))
})

const lists: Readonly<Record<string, Words>> = {
  en: words(
    `thanks thank great good perfect wonderful excellent happy glad lovely nice awesome fantastic amazing pleased
    interested helpful brilliant appreciate love like fine cool delighted`,
    `angry annoyed annoying upset terrible horrible awful bad worst hate scam fraud rude useless stupid ridiculous
    harassing harassment disappointed unacceptable frustrated frustrating complaint disgusting idiot sick waste wrong
    unhappy nonsense`,
    "not no never don't doesn't didn't isn't wasn't aren't won't can't cannot hardly without"
  ),
  de: words(
    "danke super gut prima toll perfekt gerne freue wunderbar schön ausgezeichnet klasse nett hilfreich zufrieden",
    `ärgerlich schlecht furchtbar schrecklich unverschämt betrug nervt wütend verärgert enttäuscht unzufrieden frechheit
    belästigung falsch unmöglich`,
    "nicht kein keine keinen nie niemals"
  ),
  es: words(
    "gracias genial bueno bien perfecto excelente encantado feliz estupendo maravilloso amable interesa útil",
    "mal malo terrible horrible enfadado molesto estafa fraude inútil grosero decepcionado odio ridículo vergüenza queja",
    "no nunca ni sin"
  ),
  fr: words(
    "merci super bien parfait excellent content contente ravi ravie génial formidable agréable utile intéressé bonne",
    "mal mauvais terrible horrible énervé fâché arnaque fraude nul inutile déçu inadmissible scandaleux pénible plainte",
    "pas ne jamais sans"
  ),
  it: words(
    "grazie ottimo bene perfetto eccellente felice contento contenta fantastico utile gentile volentieri",
    "male pessimo terribile orribile arrabbiato truffa frode inutile scortese deluso ridicolo fastidio reclamo",
    "non mai senza"
  ),
  pt: words(
    "obrigado obrigada ótimo bom bem perfeito excelente feliz maravilhoso útil gentil interessado",
    "mal ruim péssimo terrível horrível zangado golpe fraude inútil grosseiro decepcionado ridículo reclamação",
    "não nunca sem"
  )
}

const languageOf = (language: string): string => language.toLowerCase().split("-")[0]!

/** How a callee felt, by the words used; null for a language without a list, and for a callee who said nothing. */
export const sentimentOf = (texts: ReadonlyArray<string>, language: string): Sentiment | null => {
  const list = lists[languageOf(language)]
  const said = wordsOf(texts.join(". "))
  if (list === undefined || said.length === 0) return null
  let score = 0
  for (const [i, word] of said.entries()) {
    const value = list.good.has(word) ? 1 : list.bad.has(word) ? -1 : 0
    const isTurned = [said[i - 1], said[i - 2]].some((before) => before !== undefined && list.not.has(before))
    score += isTurned ? -value : value
  }
  return score === 0 ? "neutral" : score > 0 ? "positive" : "negative"
}

const yes: Readonly<Record<string, ReadonlyArray<string>>> = {
  en: [
    "yes",
    "yeah",
    "yep",
    "yup",
    "sure",
    "correct",
    "right",
    "absolutely",
    "definitely",
    "certainly",
    "exactly"
  ],
  de: ["ja", "jawohl", "genau", "richtig", "klar", "sicher", "gerne", "stimmt", "natürlich"],
  es: ["sí", "si", "claro", "correcto", "exacto", "vale"],
  fr: ["oui", "ouais", "exactement", "certainement"],
  it: ["sì", "si", "certo", "esatto", "certamente"],
  pt: ["sim", "claro", "correto", "exato", "certo"],
  hi: ["हाँ", "हां", "जी", "haan"]
}
const no: Readonly<Record<string, ReadonlyArray<string>>> = {
  en: ["no", "nope", "nah", "never"],
  de: ["nein", "nö", "nie"],
  es: ["no", "nunca"],
  fr: ["non", "jamais"],
  it: ["no", "mai"],
  pt: ["não", "nunca"],
  hi: ["नहीं", "nahi"]
}

/** Whether an answer begins with a yes or a no; null when it begins with neither. */
export const yesOrNo = (text: string, language: string): boolean | null => {
  const name = languageOf(language)
  const [first, second] = wordsOf(text).filter(
    (word) => !/^(?:oh|ah|um|uh|well|äh|eh|bueno|also|alors)$/.test(word)
  )
  if (first === undefined) return null
  if ((yes[name] ?? []).includes(first)) return true
  // "No problem" agrees.
  return (no[name] ?? []).includes(first) && second !== "problem" && second !== "worries" ? false : null
}
