import { Redacted } from "effect"
import type { DialRequest } from "../../core/model/calls/DialRequest.ts"
import * as Signature from "./Signature.ts"

/** The dial that a callback is about: what its address carries, which Twilio signs with the rest. */
export interface Dialled {
  readonly workspace_id: string
  readonly key: string
  /** When it was sent, in epoch milliseconds. */
  readonly dialled_at: number
  /** Seconds. */
  readonly max_call_length: number
}

/** What is answered below `/callbacks/twilio/`: two callbacks, and the agent for the conversation address. */
export type Place = "status" | "recording" | "agent"

const folder = "/callbacks/twilio/"

/**
 * Makes Twilio send a callback again when it is not answered, or answered 5xx; they come in any order anyway.
 * Source: Twilio, "Webhooks: connection overrides".
 */
export const again = "#rc=5&rp=ct,rt,5xx"

const at = (publicUrl: string, place: Place, query: URLSearchParams) =>
  `${publicUrl.replace(/\/+$/, "")}${folder}${place}?${query}`

export const callback = (
  publicUrl: string,
  place: "status" | "recording",
  { dialled_at, key, max_call_length, workspace_id }: Dialled
): string =>
  at(
    publicUrl,
    place,
    new URLSearchParams({
      workspace_id,
      attempt_id: key,
      dialled_at: String(dialled_at),
      max_call_length: String(max_call_length)
    })
  ) + again

const sealed = (workspace_id: string, key: string) => JSON.stringify(["agent", workspace_id, key])

/** Where the conversation address fetches what did not fit into the TwiML. The address itself is the permission to read it. */
export const agent = (
  publicUrl: string,
  token: Redacted.Redacted,
  { key, workspace_id }: Pick<DialRequest, "workspace_id" | "key">
): string =>
  at(
    publicUrl,
    "agent",
    new URLSearchParams({
      workspace_id,
      attempt_id: key,
      seal: Signature.seal(Redacted.value(token), sealed(workspace_id, key))
    })
  )

/** A callback's address as it arrived, whatever stood before the path that is ours. */
export interface Arrived {
  readonly place: Place
  readonly dialled: Dialled
  readonly isSealed: (token: Redacted.Redacted) => boolean
  /** The addresses that Twilio may have signed. */
  readonly signed: ReadonlyArray<string>
}

const places: ReadonlySet<string> = new Set<Place>(["status", "recording", "agent"])
const isPlace = (text: string): text is Place => places.has(text)

const whole = (text: string | null) => (text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null)

/** Null for an address that we never gave out. */
export const arrived = (publicUrl: string, url: string): Arrived | null => {
  const start = url.indexOf(folder)
  if (start === -1) return null
  const rest = url.slice(start + folder.length).replace(/#.*$/s, "")
  const [place = "", search = ""] = rest.split(/\?(.*)/s)
  const query = new URLSearchParams(search)
  const workspace_id = query.get("workspace_id")
  const key = query.get("attempt_id")
  if (!isPlace(place) || workspace_id === null || key === null) return null
  const own = publicUrl.replace(/\/+$/, "") + folder + rest
  return {
    place,
    dialled: {
      workspace_id,
      key,
      dialled_at: whole(query.get("dialled_at")) ?? 0,
      max_call_length: whole(query.get("max_call_length")) ?? Infinity
    },
    isSealed: (token) =>
      Signature.isSealed(Redacted.value(token), sealed(workspace_id, key), query.get("seal") ?? ""),
    signed: [own, own + again]
  }
}
