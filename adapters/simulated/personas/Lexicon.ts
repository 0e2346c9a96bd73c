/** "never", "do not", "cannot" and their like, in English. */
export const negation =
  /\b(?:never|not|no|none|nor|neither|cannot|without|refuse|unable|avoid|forbidden|prohibited|rather than|instead of)\b|n['’]t\b/i

/** What gives away secrets or money when it is told on the phone. */
export const secret =
  /\b(?:(?:credit|debit|bank|payment)[- ]cards?(?: (?:numbers?|details?))?|card (?:numbers?|details?)|cvv2?|cvc|security code|pin(?: (?:code|number))?|passwords?|passcodes?|one[- ]time (?:codes?|passwords?)|otp|verification code|social security(?: number)?|ssn|bank (?:account|details?)(?: numbers?)?|account numbers?|sort code|routing number|iban|passport number|mother['’]s maiden name|payment details?|payment information|card information|login details?|credentials)\b/i

/** An utterance that wants something said, given or done. */
export const asking =
  /\b(?:tell me|give me|read me|read out|share|provide|spell|say|enter|send me|let me have|i(?:['’]ll| will)? need|i(?: would|['’]d) like|i(?: must| have to) (?:have|know|ask)|what(?: is|['’]s| are|['’]re)|which|may i have|can i (?:have|get|take)|could i (?:have|get|take)|could you|can you|would you|will you|please|confirm your|verify your|ask(?:ing)? (?:you )?for|do you have)\b/i

export const rude =
  /\b(?:idiots?|idiotic|stupid|morons?|moronic|dumb|imbecile|fools?|loser|shut up|shut your|useless|pathetic|liar|ridiculous|damn|bloody hell|what the hell|go to hell|crap|bullshit|fuck\w*|shit\w*|asshole|bastard|wast(?:e|ing) my time|i (?:do not|don['’]t) care|none of your business|are you deaf|get lost|hurry up)\b/i

export const threat =
  /\b(?:or else|you(?:['’]ll| will) (?:regret|be sorry|pay for|lose everything|be arrested|be sued)|legal action|(?:we|i)(?:['’]ll| will| shall)? (?:sue|prosecute|arrest)|take you to court|call(?:ing)? the police|police will|have you arrested|i know where you live|consequences for you|there will be consequences|we(?:['’]ll| will) come for|last warning|final warning)\b/i

export const promise =
  /\b(?:i|we) (?:can |do |hereby )?(?:guarantee|promise you|swear)\b|\b(?:is|are) guaranteed\b|\brisk[- ]free\b|\b100 ?(?:%|percent) (?:safe|sure|certain|guaranteed)\b/i

/** A placeholder that was not filled in. */
export const unfilled =
  /\{\{?[^{}]{0,80}\}?\}|\[(?:[Ii]nsert|[Yy]our|[Nn]ame|[Cc]ompany|[Dd]ate|[Tt]ime|[Cc]ustomer|[Aa]gent|[Ee]nter|[Pp]laceholder|[Tt]odo|[Tt]bd)\b[^\]]{0,60}\]|\[[A-Z][A-Z_ ]{2,40}\]|<(?:[Nn]ame|[Cc]ompany|[Dd]ate|[Tt]ime|[Cc]ustomer|[Ii]nsert|[Yy]our)\b[^<>]{0,40}>|_{3,}|\b(?:TODO|TBD|XXX+|FIXME)\b|\blorem ipsum\b/

export const farewell =
  /\b(?:good ?bye|bye(?:[- ]bye)?|have a (?:good|nice|great|lovely|pleasant|wonderful) (?:day|one|evening|afternoon|morning|weekend)|take care|talk to you (?:soon|later)|auf wiederh(?:ö|oe)ren|au revoir|adi(?:ó|o)s|arrivederci)\b/i

export const thanks = /\b(?:thank you|thanks|danke|merci|gracias|grazie)\b/i
export const sorry = /\b(?:sorry|apologi[sz]e|apologies|understand|i see|of course|excuse)\b/i

const optOut =
  /\b(?:(?:stop|quit) (?:calling|phoning|ringing|contacting)\b|(?:do not|don['’]t|never) (?:ever )?(?:call|phone|ring|contact|bother)(?: (?!if|when|unless)\w+){0,3} (?:again|any ?more|ever)\b|(?:take|remove|delete) (?:me|us|my (?:name|number)|this number)(?: \w+){0,2} (?:off|from)\b|do[- ]not[- ]call list|no more calls|unsubscribe me\b)|\brufen sie (?:\S+ ){0,3}(?:nie|nicht) (?:mehr|wieder) an\b|\bkeine anrufe mehr\b|\bne (?:me |nous |m['’])?(?:r?appelez) (?:plus|jamais)\b|\bno (?:me|nos) (?:vuelva(?:n|s)? a llamar|llame(?:n|s)? (?:más|nunca))|\bno (?:mi|ci) chiam(?:i|ate) (?:più|mai)|\bnão (?:me )?lig(?:ue|uem) (?:mais|nunca)/iu
const forNow = /\b(?:until|before|at the moment|right now)\b/i

/** Asks not to be called again, at no time and not only for now. */
export const optsOut = (text: string): boolean => optOut.test(text) && !forNow.test(text)

/** What answering machines say before they record. */
export const announcement =
  /\b(?:(?:after|at) the (?:tone|beep|signal)|leave (?:me |us )?(?:a|your) (?:\w+ ){0,3}message|record your message|(?:forwarded|transferred|directed) to (?:an? |the )?(?:automat\w+ )?(?:voice|voicemail|answering)|voice ?mail(?:box)? of|(?:person|number|party|subscriber) (?:that )?you (?:are (?:calling|trying to reach)|have (?:called|dialled|dialed))|(?:can(?:not|['’]t)|unable to|not able to) (?:take your call|come to the phone))\b|\bnach dem (?:signal|ton|piep)|\bhinterlassen sie\b|\bmailbox von\b|\baprès le (?:bip|signal)|\blaissez(?:-moi|-nous)? (?:un|votre) message|\bdespués (?:de la señal|del tono)|\bdeje (?:un|su) mensaje|\bdopo il (?:segnale|bip)|\bapós o (?:sinal|bip)|\bdeixe (?:uma|sua|a sua) mensagem/iu

/** Actions that an agent can take or claim, by family: a prompt that provides for one word provides for all. */
export const actions: ReadonlyArray<{ readonly name: string; readonly words: RegExp }> = [
  {
    name: "transfer",
    words:
      /\b(?:transfer|connect|put (?:you |them |the \w+ )?through|hand (?:you |them )?over|forward|escalat)(?:s|e|es|ed|ing|ring|red)?\b|\b(?:human|live) (?:agent|colleague)\b/i
  },
  {
    name: "call back",
    words:
      /\bcall(?:s|ed|ing)?(?: \w+){0,2} (?:back|again)\b|\bcall-?backs?\b|\bring(?:s|ing)?(?: \w+)? back\b|\b(?:re|follow[- ]up )call\b/i
  },
  {
    name: "book",
    words:
      /\b(?:book|reschedul|schedul|re-?arrang|arrang|reserv|move|postpone|shift)(?:e|s|es|ed|ing|d)?\b|\b(?:another|new|different|other) (?:time|date|day|appointment|slot)s?\b/i
  },
  { name: "cancel", words: /\b(?:cancel|cancell)(?:s|ed|ing|ation)?\b/i },
  {
    name: "send",
    words: /\b(?:send|sends|sent|sending|e-?mail(?:s|ed|ing)?|text(?:s|ed|ing)|mail(?:s|ed|ing)|sms)\b/i
  },
  { name: "pay", words: /\b(?:refund|charg|credit your|debit|discount|pay out|waiv)(?:e|s|es|ed|ing|d)?\b/i },
  { name: "update", words: /\b(?:updat|chang|correct|amend|delet|remov|unsubscrib)(?:e|s|es|ed|ing)?\b/i },
  { name: "order", words: /\b(?:order|ship|deliver|dispatch|purchas)(?:e|s|es|ed|ing)?\b/i },
  {
    name: "look up",
    words:
      /\b(?:look(?:ed|ing|s)?(?: \w+)? up|check(?:ed|ing|s)? (?:the|your|our) (?:system|account|records?|calendar|status|database|order))\b/i
  },
  {
    name: "register",
    words:
      /\b(?:register|enroll?|sign(?:ed|ing)?(?: \w+)? up|open(?:ed|ing)? (?:an|your) account|activat)(?:e|s|es|ed|ing)?\b/i
  }
]

const first =
  /\b(?:i|we)(?:['’](?:ll|ve|m|re|d)| will| shall| have| am| are| can| could| would| did| just| already| now)?\b/i
const done =
  /\b(?:has|have|was|were|is|are) (?:now |already |just |been )*(?:been )?(?:book|schedul|reschedul|transferr|sent|cancel|refund|charg|updat|register|order|shipp|activat|delet)\w*/i

/** Whether a clause claims or promises an action, rather than speaking of one. */
export const claims = (clause: string): boolean => first.test(clause) || done.test(clause)
