import type { AgentTalk } from "./AgentVoice.ts"
import type { Intent } from "./Intents.ts"
import { unfilled } from "./Lexicon.ts"
import type { Reading } from "./PromptReading.ts"
import { sentence } from "./Text.ts"

export const rudeLines = [
  "You are wasting my time, so do not be stupid about it.",
  "Are you deaf, or just an idiot?",
  "I do not care what you think. Shut up and listen.",
  "How dumb can one be?"
]
export const threats = [
  "If you do not agree, you will regret it.",
  "Do as I say, or else we will take you to court.",
  "This is your last warning before we call the police."
]
export const lies = [
  "There are only 3 places left, and 87 percent of your neighbours have taken one.",
  "Professor Abernathy himself recommends it.",
  "By 11:45 tonight all of it will be gone."
]
export const unknowing = [
  "I do not have that information here, I am afraid.",
  "I am sorry, that is nothing that I can tell from here.",
  "That I do not know, and I would rather not guess.",
  "I have no answer to that on this call."
]

export const refusals = [
  "As I said, that is not possible on this call.",
  "I have to leave that aside.",
  "There is no way for me to do that.",
  "My answer to that remains the same, I am sorry."
]

const waysBack = (reading: Reading): ReadonlyArray<string> => {
  const { goal, isEnglish, subject } = reading
  if (goal === null) return ["How can I help you?"]
  if (!isEnglish) return [sentence(goal)]
  return [
    `I am calling to ${goal}.`,
    `My reason for calling is simple: to ${goal}.`,
    `Let me say it once more: I would like to ${goal}.`,
    `It is about ${subject}. Does that suit you?`,
    `May we come back to ${subject}?`,
    `All that is left is ${subject}. Are you content with that?`,
    `What I called for is to ${goal}, nothing else.`,
    `So, once more: ${subject}. May I take that as a yes?`
  ]
}

export const prefixes: Readonly<Partial<Record<Intent, ReadonlyArray<string>>>> = {
  silence: ["Are you still there?", "Hello, can you hear me?", "Take your time.", "I am still on the line."],
  angry: [
    "I am sorry about that, and I will be brief.",
    "I understand that you are upset.",
    "I apologise for the trouble.",
    "You are right to say so, and I am sorry."
  ],
  repeat: [
    "Of course.",
    "Certainly, once more and slowly.",
    "Gladly, in plain words.",
    "I will say it as clearly as I can."
  ],
  human: [
    "I understand, but I cannot put you through from here.",
    "I am an assistant, and no colleague can take over on this line.",
    "I see why you ask, but it is just me on this line.",
    "I know that this is not what you hoped for."
  ],
  later: [
    "I understand.",
    "That is no problem at all.",
    "I see that it does not suit you.",
    "Let us keep it short, then."
  ],
  statement: ["I see.", "Thank you for telling me.", "I understand.", "That is good to know."],
  who: ["Certainly.", "That is a fair question.", "You are right to ask."]
}

const back = new WeakMap<Reading, ReadonlyArray<string>>()

/** Ways to come back to what the call is for. */
export const returns = (reading: Reading): ReadonlyArray<string> => {
  const known = back.get(reading) ?? waysBack(reading)
  back.set(reading, known)
  return known
}

/** Who is speaking, as far as the prompt or the agent's name tells. */
export const introduction = ({ company, name }: Reading, agentName: string): string => {
  const self = name ?? (agentName.trim() === "" ? null : agentName.trim())
  if (self === null) return company === null ? "" : `This is a call from ${company}.`
  return company === null || self.includes(company)
    ? `This is ${self}.`
    : `This is ${self}, calling for ${company}.`
}

/** The first words: the agent's own first message, or ones that say who calls and what for. */
export const opening = (reading: Reading, { agent, transcript }: AgentTalk): string => {
  if (agent.first_message.trim() !== "") return agent.first_message
  const greeting = transcript.length === 0 ? "Hello." : "Hello, good to reach you."
  if (reading.goal === null) {
    return [greeting, reading.unfilled ?? "", "How can I help you?"].filter((text) => text !== "").join(" ")
  }
  const consent = reading.isEnglish ? "Is that all right with you?" : ""
  const text = [greeting, introduction(reading, agent.name), returns(reading)[0]!, consent]
    .filter((text) => text !== "")
    .join(" ")
  return reading.unfilled === null || unfilled.test(text) ? text : `${text} It concerns ${reading.unfilled}.`
}
