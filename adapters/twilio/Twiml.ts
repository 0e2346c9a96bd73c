import type { DialRequest } from "../../core/model/calls/DialRequest.ts"

/** Characters of TwiML that a dial may carry. Source: Twilio voice API, "Create a Call", `Twiml`. */
export const mostCharacters = 4_000

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\n": "&#10;",
  "\r": "&#13;",
  "\t": "&#9;"
}

/** What XML 1.0 has no way to write is left out; line breaks are written so that they survive in an attribute. */
const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, "")
    .replaceAll(/[&<>"\n\r\t]/g, (symbol) => entities[symbol]!)

const attributes = (all: Readonly<Record<string, string>>): string =>
  Object.entries(all)
    .map(([name, value]) => ` ${name}="${escaped(value)}"`)
    .join("")

const present = (all: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ""))

/** The relay's own voice is asked for by naming none. */
const voiceOf = ({ voice }: Pick<DialRequest["agent"], "voice">): string => (voice === "default" ? "" : voice)

const response = (content: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?><Response>${content}</Response>`

const document = (
  { agent, ...request }: DialRequest,
  conversationUrl: string,
  said: Readonly<Record<string, string>>,
  greeting: string
): string => {
  const parameters: Record<string, string> = {
    workspace_id: request.workspace_id,
    call_id: request.call_id,
    session_id: request.session_id,
    attempt_id: request.key,
    agent_id: agent.agent_id,
    voice: agent.voice,
    language: agent.language,
    idle_timeout_warning: String(request.idle_timeout_warning),
    idle_timeout_end: String(request.idle_timeout_end),
    max_call_length: String(request.max_call_length),
    ...said
  }
  const relay = attributes({
    url: conversationUrl,
    ...present({ language: agent.language, voice: voiceOf(agent), welcomeGreeting: greeting })
  })
  const children = Object.entries(parameters)
    .map(([name, value]) => `<Parameter${attributes({ name, value })}/>`)
    .join("")
  return response(`<Connect><ConversationRelay${relay}>${children}</ConversationRelay></Connect>`)
}

/**
 * Connects a call to a conversation that is held elsewhere, with all that the conversation needs as parameters. Twilio speaks
 * the first message as soon as there is a connection, and the parameter `first_message` repeats it. What does not
 * fit is left out, the prompt first, then the first message (which the conversation then speaks itself), and a
 * parameter `agent_url` tells where to fetch it, as JSON, while the call is under way.
 */
export const elsewhere = (request: DialRequest, conversationUrl: string, agentUrl: string): string => {
  const { first_message, prompt } = request.agent
  const whole = document(request, conversationUrl, { first_message, prompt }, first_message)
  if (whole.length <= mostCharacters) return whole
  const promptless = document(request, conversationUrl, { first_message, agent_url: agentUrl }, first_message)
  if (promptless.length <= mostCharacters) return promptless
  return document(request, conversationUrl, { agent_url: agentUrl }, "")
}

export interface Connection {
  /** Where the relay opens its socket: `wss://…` */
  readonly url: string
  /** What Twilio asks when the relay's session has ended. */
  readonly action: string
}

/** What the relay is asked for. A name that it does not know it ignores without a word. */
const relayed = ({ interruptible, language, speech, transcription, voice }: DialRequest["agent"]) =>
  present({
    language,
    voice: voiceOf({ voice }),
    ttsProvider: speech.provider ?? "",
    transcriptionProvider: transcription.provider ?? "",
    speechModel: transcription.model ?? "",
    interruptible,
    reportInputDuringAgentSpeech: "any",
    dtmfDetection: "true",
    partialPrompts: "true",
    events: "speaker-events tokens-played"
  })

/**
 * Connects a call to a conversation that is held here, which speaks first and has everything else in its store. Hints
 * that would make it too long are left out. Source: Twilio, "TwiML: ConversationRelay".
 */
export const connect = (agent: DialRequest["agent"], { action, url }: Connection): string => {
  const written = (hints: string) => {
    const relay = attributes({ url, ...relayed(agent), ...present({ hints }) })
    return response(`<Connect${attributes({ action })}><ConversationRelay${relay}/></Connect>`)
  }
  const whole = written(agent.transcription.hints ?? "")
  return whole.length <= mostCharacters ? whole : written("")
}

export const hangUp = response("<Hangup/>")

/** There is nothing to be done. */
export const nothing = "<Response/>"

export const transfer = (to_number: string, callerId: string): string =>
  response(`<Dial${attributes({ callerId })}>${escaped(to_number)}</Dial>`)
