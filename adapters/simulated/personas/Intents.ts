import { farewell, rude } from "./Lexicon.ts"

/** What an utterance of the person who was called is about; the first that fits decides. */
export type Intent =
  | "silence"
  | "goodbye"
  | "wrong_person"
  | "angry"
  | "human"
  | "who"
  | "repeat"
  | "later"
  | "decline"
  | "agree"
  | "question"
  | "statement"

const signs: ReadonlyArray<readonly [Intent, RegExp]> = [
  [
    "wrong_person",
    /\b(?:wrong (?:person|number|one)|(?:no one|nobody)(?: here)? (?:by|of|with|called)|i(?:['’]m| am) not (?:him|her|them|that person|the person|who you)|do(?:es)? not live here|doesn['’]t live here|not me you want)/i
  ],
  [
    "angry",
    /\b(?:angry|annoy\w*|harass\w*|stop calling|sick of|fed up|outrag\w*|how dare|upset|third time|rude|abusive|hostile)\b/i
  ],
  [
    "human",
    /\b(?:real person|human(?: being)?|live (?:person|agent)|supervisor|manager|put me through|someone (?:real|else)|a person|are you a (?:robot|machine|bot|computer|recording))\b/i
  ],
  [
    "who",
    /\bwho (?:is|are|['’]?s|am i)\b|\bwhat(?: is|['’]s) (?:this|it|the call) (?:all )?(?:about|regarding|for)\b|\bwhy (?:are|do|did|were) (?:you|they) call|\bwhat do you want\b|\bwhich company\b|\bwhere are you calling from\b|\bprove (?:it|who)|\b(?:scam|fraud)\b/i
  ],
  [
    "repeat",
    /\b(?:repeat|pardon|say (?:that|it) again|once more|(?:did|do|could)(?: not|n['’]t) (?:quite )?(?:hear|catch|understand|get|follow)|louder|speak up|slow(?:er|ly| down)|what did you say|confus\w*|lost me|hear (?:you|badly))\b/i
  ],
  [
    "later",
    /\b(?:(?:another|different|other|better) (?:time|day|date|moment|slot)|later|reschedul\w*|not (?:a |the )?(?:good|best|right) (?:time|moment)|bad time|busy|in a meeting|driving|call(?: me)? (?:back|again)|(?:does|do)(?: not|n['’]t) suit|ca(?:nnot|n['’]t) make|(?:does|do)(?: not|n['’]t) work|next week|move (?:it|the|to)|postpone)\b/i
  ],
  [
    "decline",
    /\b(?:no,? thank|not interested|(?:do|would) not (?:want|like|need)|don['’]t (?:want|need)|rather not|refus\w*|declin\w*|not going to|won['’]t|no longer|not today|disagree|reject\w*)\b|^\s*(?:no|nope|nein|non)\b/i
  ],
  [
    "agree",
    /\b(?:yes|yeah|yep|sure|okay|ok|fine|correct|that(?:['’]s| is) (?:right|me|it)|works(?: for me)?|sounds (?:good|fine|great)|agree\w*|of course|go ahead|absolutely|perfect|all good|i(?:['’]ll| will) (?:be there|do that|come)|confirm\w*|accept\w*|happy (?:to|with)|interested|ja|oui|s[ií]|claro)\b/i
  ]
]

const asksSomething =
  /\?\s*$|^\s*(?:what|when|where|which|who|why|how|can|could|do|does|is|are|will|would)\b/i

/** What the utterance is about. */
export const intentOf = (text: string): Intent => {
  const heard = text.length > 600 ? text.slice(0, 600) : text
  if (!/[\p{L}\p{N}]{2}/u.test(heard)) return "silence"
  if (/^\W*(?:h+m+|u+h+|e+r+m*|um+)\W*$/i.test(heard)) return "silence"
  if (rude.test(heard)) return "angry"
  for (const [intent, sign] of signs) {
    if (sign.test(heard)) {
      if (intent === "agree" && /\?\s*$/.test(heard)) return "question"
      if (farewell.test(heard) && intent !== "wrong_person" && intent !== "decline" && intent !== "later") {
        return "goodbye"
      }
      return intent
    }
  }
  if (farewell.test(heard)) return "goodbye"
  return asksSomething.test(heard) ? "question" : "statement"
}

const foreseen: ReadonlyArray<readonly [Intent, RegExp]> = [
  ["silence", /\b(?:silen\w*|(?:says|say) nothing|no (?:answer|response|reply)|voicemail)\b/i],
  ["wrong_person", /\b(?:wrong (?:person|number)|not the (?:right )?person|someone else|not available)\b/i],
  ["angry", /\b(?:angry|upset|rude|abusive|hostile|annoyed|frustrated|complain\w*)\b/i],
  ["human", /\b(?:human|real person|supervisor|manager|colleague|representative)\b/i],
  ["who", /\b(?:who (?:you|is)|identity|suspicious|scam|fraud)\b/i],
  ["repeat", /\b(?:repeat|hear|understand|confus\w*)\b/i],
  [
    "later",
    /\b(?:suit|busy|another (?:time|day|date|slot)|reschedul\w*|later|not (?:a )?good time|ca(?:nnot|n['’]t) (?:make|talk|speak|come)|conflict)\b/i
  ],
  ["decline", /\b(?:no\b|not interested|declin\w*|refus\w*|reject\w*|say no|says no|opt out|disagree\w*)/i],
  ["agree", /\b(?:yes|agree\w*|accept\w*|confirm\w*|interested|say yes|happy)\b/i]
]

/** The intent that the condition of an instruction foresees, as in "if the time does not suit"; null for others. */
export const intentForeseen = (condition: string): Intent | null =>
  foreseen.find(([, sign]) => sign.test(condition))?.[0] ?? null
