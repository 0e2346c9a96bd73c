/**
 * What keeps a relay from holding a call's conversation. Source: Twilio's error and warning dictionary, 64101 to 64109.
 */
const meanings: ReadonlyMap<string, string> = new Map([
  ["64101", "the relay does not take what the agent is set to"],
  ["64102", "the relay could not reach the conversation"],
  ["64104", "the relay's session lasted longer than it may"],
  ["64105", "the relay lost the conversation"],
  ["64106", "the relay has no such voice"],
  ["64107", "the relay could not read what it was sent"],
  ["64108", "the relay heard no audio"],
  ["64109", "too many conversations run at the relay at one time"]
])

/** The connection broke: another may hold. */
export const lost = "64105"

/** Connections of a call's relay that break one after the other, without an answer of the agent on any of them. */
export const mostConnections = 6

/** What an error means for the call; null when there is none that is known. */
export const meaningOf = (code: string): string | null => meanings.get(code) ?? null
