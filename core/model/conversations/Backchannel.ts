/** Sounds and words by which a listener says no more than that it listens, in a few languages. */
const common: Readonly<Record<string, ReadonlyArray<string>>> = {
  en: [
    "mhm",
    "mm",
    "mmm",
    "mm-hmm",
    "mmhmm",
    "uh-huh",
    "uh huh",
    "uhuh",
    "hm",
    "hmm",
    "yeah",
    "yes",
    "yep",
    "yup",
    "okay",
    "ok",
    "right",
    "sure",
    "i see",
    "got it",
    "aha"
  ],
  de: [
    "mhm",
    "mm",
    "hm",
    "hmm",
    "ja",
    "jaja",
    "genau",
    "okay",
    "ok",
    "aha",
    "ach so",
    "achso",
    "verstehe",
    "stimmt",
    "gut"
  ],
  es: ["mhm", "mm", "hm", "ajá", "aja", "sí", "si", "vale", "ok", "okay", "claro", "ya", "bueno", "entiendo"],
  fr: ["mhm", "mm", "hm", "oui", "ouais", "d'accord", "ok", "okay", "je vois", "ah oui", "bien"],
  hi: ["mhm", "hm", "हाँ", "हां", "जी", "अच्छा", "ठीक है", "haan", "han", "ji", "accha", "theek hai", "ok"],
  it: ["mhm", "mm", "hm", "sì", "si", "certo", "ok", "okay", "capito", "va bene", "ah"],
  pt: ["mhm", "mm", "hm", "sim", "tá", "ta", "certo", "ok", "okay", "entendi", "claro"]
}

/** The words of a language (a tag such as `de-AT`), or English ones. */
export const backchannelsOf = (language: string): ReadonlyArray<string> =>
  common[language.toLowerCase().split("-")[0]!] ?? common["en"]!

const marks = /[.,!?;:…"“”]+/g

const plain = (text: string): string => text.toLowerCase().replace(marks, " ").replaceAll(/\s+/g, " ").trim()

/** Whether a text is made of backchannels alone: one, or a few in a row. */
export const isBackchannel = (text: string, words: ReadonlyArray<string>): boolean => {
  let rest = plain(text)
  if (rest === "") return false
  const known = [...words].sort((a, b) => b.length - a.length)
  for (let count = 0; rest !== "" && count < 4; count++) {
    const word = known.find((word) => rest === word || rest.startsWith(`${word} `))
    if (word === undefined) return false
    rest = rest.slice(word.length).trimStart()
  }
  return rest === ""
}
