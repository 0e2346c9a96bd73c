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
const lost = "64105"

/** Connections of one call's relay, the first included. */
export const mostConnections = 6

/** What an error means for the call; null when the conversation goes on over another connection, or there is no error. */
export const fatal = (code: string, connection: number): string | null =>
  code === lost && connection < mostConnections ? null : (meanings.get(code) ?? null)
