import type { NewApiKey } from "outdial/client"

export type Scope = NewApiKey["scopes"][number]

/** All that a key may do, in words. */
export const scopes: ReadonlyArray<readonly [Scope, string]> = [
  ["sessions:read", "See calls, tests and credits"],
  ["sessions:write", "Place calls, run tests"],
  ["agents:read", "See agents"],
  ["agents:write", "Change agents"],
  ["campaigns:read", "See campaigns"],
  ["campaigns:write", "Change and start campaigns"],
  ["recipients:export", "Export results with numbers"],
  ["phone_numbers:read", "See numbers"],
  ["phone_numbers:write", "Change numbers, do not call"],
  ["templates:write", "Message templates"],
  ["webhooks:read", "See webhooks"],
  ["webhooks:write", "Change webhooks"],
  ["workspace:read", "See settings and usage"],
  ["workspace:write", "Change settings"],
  ["keys:write", "API keys"],
  ["people:write", "Export and erase a person"]
]
