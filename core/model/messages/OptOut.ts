/**
 * Words by which a person asks not to be written to or called any more, in lower case and without marks. Words that
 * may mean an appointment, such as "cancel", are none.
 */
const words: ReadonlySet<string> = new Set(
  [
    // English. Source: CTIA, Messaging Principles and Best Practices, opt-out keywords.
    [
      "stop",
      "stop all",
      "stopall",
      "stop it",
      "unsubscribe",
      "quit",
      "opt out",
      "optout",
      "opt-out",
      "revoke"
    ],
    ["stop promotions", "do not call", "don't call me", "remove me"],
    // German, Dutch, the Nordic languages
    ["stopp", "abmelden", "abbestellen", "austragen", "stoppen", "afmelden", "uitschrijven"],
    ["avsluta", "avregistrera", "avmeld", "afmeld", "lopeta"],
    // French, Spanish, Portuguese, Italian, Romanian
    ["arrêt", "arret", "arrêter", "désabonner", "désinscrire", "désinscription"],
    ["baja", "alto", "parar", "pare", "detener", "darse de baja", "sair", "descadastrar"],
    ["basta", "ferma", "disiscrivi", "disiscrivimi", "dezabonare"],
    // Polish, Czech, Russian, Ukrainian, Greek, Turkish
    [
      "wypisz",
      "rezygnuję",
      "odhlásit",
      "стоп",
      "отписаться",
      "відписатися",
      "στοπ",
      "διαγραφή",
      "dur",
      "durdur"
    ],
    // Hindi, Arabic, Hebrew, Indonesian, Vietnamese, Thai
    ["रोको", "रुकें", "बंद करो", "توقف", "إيقاف", "الغاء الاشتراك", "הסר", "עצור", "berhenti", "dừng", "หยุด"],
    // Chinese, Japanese, Korean
    ["停止", "退订", "退訂", "取消订阅", "配信停止", "ストップ", "중지", "수신거부"]
  ].flat()
)

const courtesy =
  /^(?:please|bitte|por favor|per favore|s'il vous plaît) | (?:please|bitte|por favor|per favore|s'il vous plaît)$/gu

/** Whether a message is a request not to be contacted again: such a word is all of it. */
export const isOptOut = (text: string): boolean => {
  const said = text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll("’", "'")
    .replaceAll(/[^\p{L}\p{M}\p{N}' -]+/gu, " ")
    .replaceAll(/ +/g, " ")
    .trim()
  return said.length <= 60 && words.has(said.replaceAll(courtesy, "").trim())
}
