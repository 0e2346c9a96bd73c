import { Redacted } from "effect"
import type { DialRequest } from "../../core/model/calls/DialRequest.ts"
import * as SessionTokens from "../shared/SessionTokens.ts"
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

/**
 * What is answered below `/callbacks/twilio/`: callbacks about a call and its recordings, the agent for a conversation
 * that is held elsewhere, and, for one that is held here, what a detection has found and what comes after its relay.
 */
export type Place = "status" | "recording" | "agent" | "detection" | "after"

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
  place: Exclude<Place, "agent">,
  { dialled_at, key, max_call_length, workspace_id }: Dialled,
  more: Readonly<Record<string, string>> = {}
): string =>
  at(
    publicUrl,
    place,
    new URLSearchParams({
      workspace_id,
      attempt_id: key,
      dialled_at: String(dialled_at),
      max_call_length: String(max_call_length),
      ...more
    })
  ) + again

/** Where Twilio tells what it has found out about who has answered. */
export const detection = (publicUrl: string, dialled: Dialled, session_id: string): string =>
  callback(publicUrl, "detection", dialled, { session_id })

/** A connection of a call's relay. */
export interface Connection {
  /** From 1, among those that follow each other while no answer of the agent is heard. */
  readonly number: number
  /** Answers of the agent that were heard in the call before it. */
  readonly answers: number
}

export const firstConnection: Connection = { number: 1, answers: 0 }

/** Where Twilio asks what to do when the relay's session has ended. */
export const after = (
  publicUrl: string,
  dialled: Dialled,
  session_id: string,
  { answers, number }: Connection
): string =>
  callback(publicUrl, "after", dialled, {
    session_id,
    connection: String(number),
    answers: String(answers)
  })

const sockets = `${folder}conversation/`

/** Where the relay opens its socket. Twilio signs the address as it stands here. */
export const conversation = (
  publicUrl: string,
  token: Redacted.Redacted,
  session: SessionTokens.SessionName
): string =>
  publicUrl.replace(/^http/, "ws").replace(/\/+$/, "") +
  sockets +
  SessionTokens.seal(token, "carrier", session, null)

/** The session of a socket's address, whatever stood before the path that is ours, and the address that Twilio has signed. */
export const socketFor = (publicUrl: string, token: Redacted.Redacted, url: string) => {
  const start = url.indexOf(sockets)
  if (start === -1) return null
  const sealed = url.slice(start + sockets.length)
  const session = SessionTokens.open(token, "carrier", sealed, 0)
  return session === null ? null : { session, signed: conversation(publicUrl, token, session) }
}

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
  /** Of the place `detection` or `after`. */
  readonly session_id: string | null
  /** Of the place `after`. */
  readonly connection: Connection
  readonly isSealed: (token: Redacted.Redacted) => boolean
  /** The addresses that Twilio may have signed. */
  readonly signed: ReadonlyArray<string>
}

const places: ReadonlySet<string> = new Set<Place>(["status", "recording", "agent", "detection", "after"])
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
    session_id: query.get("session_id"),
    connection: {
      number: whole(query.get("connection")) ?? firstConnection.number,
      answers: whole(query.get("answers")) ?? firstConnection.answers
    },
    isSealed: (token) =>
      Signature.isSealed(Redacted.value(token), sealed(workspace_id, key), query.get("seal") ?? ""),
    signed: [own, own + again]
  }
}
