import { computed, signal } from "@preact/signals"
import { createClient, type OutdialClient, OutdialError } from "outdial/client"

const item = "outdial-api-key"

const basePath = document.querySelector<HTMLMetaElement>('meta[name="outdial-base-path"]')?.content ?? "/v0"

const clientOf = (apiKey: string): OutdialClient =>
  createClient({ baseUrl: location.origin + basePath, apiKey, retry: { retries: 2 } })

/** The API key, for as long as this tab is open. */
const key = signal<string | null>(sessionStorage.getItem(item))

/** Why the sign-in is shown again; null at first. */
export const notice = signal<string | null>(null)

/** The id of the API key, which is no secret. */
export const keyId = computed(() => /^od_live_([^_]+)_/.exec(key.value ?? "")?.[1] ?? null)

export const signedIn = computed(() => key.value !== null)

const client = computed(() => (key.value === null ? null : clientOf(key.value)))

/** The interface, for pages, which are shown only while a key is there. */
export const api = (): OutdialClient => {
  if (client.value === null) throw new Error("the console is not signed in")
  return client.value
}

export const signOut = (reason: string | null = null): void => {
  sessionStorage.removeItem(item)
  notice.value = reason
  key.value = null
}

/** Ends the session when the server no longer takes the key. */
export const expireAt = (error: unknown): void => {
  if (error instanceof OutdialError && error.status === 401) signOut("The server no longer takes this key.")
}

/** Header values of other characters cannot be sent. */
const isKey = (text: string) => /^[\x21-\x7e]+$/.test(text)

const invalid = "The server does not take this key."

/**
 * Takes a key that the server takes; the reason why not, or null. A key without the scope of the request that tries it
 * is a key all the same.
 */
export const signIn = async (text: string): Promise<string | null> => {
  const apiKey = text.trim()
  if (!isKey(apiKey)) return invalid
  try {
    await clientOf(apiKey).credits.balance()
  } catch (error) {
    if (!(error instanceof OutdialError)) throw error
    if (error.status === 401) return invalid
    if (error.status !== 403) return error.message
  }
  sessionStorage.setItem(item, apiKey)
  notice.value = null
  key.value = apiKey
  return null
}
