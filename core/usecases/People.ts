import { Clock, Context, Effect, Encoding, Layer, Option } from "effect"
import { isUnderWay, makeCallErasing } from "../engine/CallErasing.ts"
import { makeCampaignStore } from "../engine/CampaignStore.ts"
import { makeNoting } from "../engine/Noting.ts"
import { makeSessionReading } from "../engine/SessionReading.ts"
import type { Call } from "../model/calls/Call.ts"
import { moved } from "../model/campaigns/CampaignCounters.ts"
import * as Machine from "../model/campaigns/CampaignMachine.ts"
import type { Recipient } from "../model/campaigns/Recipient.ts"
import { transcriptOf, type TranscriptTurn } from "../model/conversations/Transcript.ts"
import type { Erased } from "../model/people/Person.ts"
import type { Recording } from "../model/recordings/Recording.ts"
import { Repository } from "../ports/Repository.ts"
import { Secrets } from "../ports/Secrets.ts"

/** Rows that one step looks at; other requests have their turn in between. */
const slice = 1_000

/** The list of a session's recordings makes links to them. */
const unlinked = (recording: Recording): Recording => ({ ...recording, url: null, url_expires_at: null })

const make = Effect.gen(function* () {
  const repository = yield* Repository
  const { people, sessions, transaction } = repository
  const secrets = yield* Secrets
  const { note, noted } = yield* makeNoting
  const campaigns = yield* makeCampaignStore
  const { eraseCall, recordingsOf, sessionsOf } = yield* makeCallErasing
  const { standing } = yield* makeSessionReading

  const callsOf = Effect.fnUntraced(function* (workspace_id: string, phone_number: string) {
    const calls: Array<Call> = []
    for (let after: string | null = ""; after !== null;) {
      const step: Effect.Effect.Success<ReturnType<typeof people.calls>> = yield* people.calls(
        workspace_id,
        phone_number,
        after,
        slice
      )
      for (const id of step.found) {
        const call = yield* repository.calls.get(workspace_id, id)
        if (Option.isSome(call)) calls.push(call.value)
      }
      after = step.next
      yield* Effect.yieldNow()
    }
    return calls
  })

  const eraseEvents = Effect.fnUntraced(function* (workspace_id: string, ids: ReadonlySet<string>) {
    for (let after: string | null = ids.size === 0 ? null : ""; after !== null;) {
      after = yield* noted(workspace_id, people.eraseEvents(workspace_id, ids, after, slice))
      yield* Effect.yieldNow()
    }
  })

  /** A recipient that is still to be called is skipped. Answers false when a call of it is under way. */
  const eraseRecipient = ({ campaign_id, customer_id, id }: Recipient) =>
    transaction(
      customer_id,
      Effect.gen(function* () {
        const found = yield* repository.recipients.get(customer_id, campaign_id, id)
        if (Option.isNone(found) || isUnderWay(found.value)) return false
        const recipient = found.value
        if (recipient.status === "pending") {
          const now = yield* Clock.currentTimeMillis
          const before = yield* Effect.orDie(campaigns.load(customer_id, campaign_id))
          const after = { ...before, counters: moved(before.counters, "pending", "skipped", 1) }
          yield* repository.recipients.update({ ...recipient, status: "skipped", updated_at: now })
          yield* campaigns.save(before, Machine.complete(after, now) ?? after)
        }
        yield* people.eraseRecipient(recipient)
        yield* note()
        return true
      })
    )

  const erase: PeopleShape["erase"] = Effect.fn("People.erase")(function* (workspace_id, phone_number) {
    const calls = yield* callsOf(workspace_id, phone_number)
    const over = calls.filter(({ phase }) => phase === "done")
    yield* eraseEvents(workspace_id, new Set(over.map(({ call_id }) => call_id)))
    const counts = { recordings: 0, transcripts: 0, recipients: 0 }
    for (const call of over) {
      const { recorded, said } = yield* eraseCall(call)
      counts.recordings += recorded
      counts.transcripts += said
    }
    for (const recipient of yield* people.recipients(workspace_id, phone_number)) {
      if (yield* eraseRecipient(recipient)) counts.recipients++
    }
    if (yield* repository.doNotCall.contains(workspace_id, phone_number)) {
      const fresh = Encoding.encodeHex(yield* secrets.random(32))
      yield* noted(workspace_id, repository.doNotCall.erase(workspace_id, phone_number, fresh))
    }
    return { ...counts, calls: over.length, under_way: calls.length - over.length }
  })

  const talkOf = Effect.fnUntraced(function* (workspace_id: string, session_id: string) {
    const session = yield* sessions.get(workspace_id, session_id)
    if (Option.isNone(session)) return []
    return [{ session_id, turns: transcriptOf((yield* standing(session.value)).state) }]
  })

  const collect: PeopleShape["collect"] = Effect.fn("People.collect")(function* (workspace_id, phone_number) {
    const calls: Array<PersonCall> = []
    for (const call of yield* callsOf(workspace_id, phone_number)) {
      const ids = yield* sessionsOf(call)
      const transcripts = yield* Effect.forEach(ids, (id) => talkOf(workspace_id, id))
      const recorded = yield* Effect.forEach(ids, (id) => recordingsOf(workspace_id, id))
      calls.push({ call, transcripts: transcripts.flat(), recordings: recorded.flat().map(unlinked) })
      yield* Effect.yieldNow()
    }
    return {
      calls,
      recipients: yield* people.recipients(workspace_id, phone_number),
      on_do_not_call_list: yield* repository.doNotCall.contains(workspace_id, phone_number)
    }
  })

  return People.of({ erase, collect })
})

export interface PersonCall {
  readonly call: Call
  readonly transcripts: ReadonlyArray<{
    readonly session_id: string
    readonly turns: ReadonlyArray<TranscriptTurn>
  }>
  readonly recordings: ReadonlyArray<Recording>
}

/** Everything that is kept of a person. */
export interface Person {
  readonly calls: ReadonlyArray<PersonCall>
  readonly recipients: ReadonlyArray<Recipient>
  readonly on_do_not_call_list: boolean
}

export interface PeopleShape {
  /**
   * Erases what is kept of a person across the workspace: recordings, transcripts, names, variables, metadata, messages,
   * the number itself, and the bodies of webhook events. Counts and charges stay, and so does an entry of the
   * do-not-call list, as a keyed hash of the number. Recipients that are still to be called are skipped; what is under way is left, and counted. Asked
   * again, also after a process died in between, it erases what is left.
   */
  readonly erase: (workspace_id: string, phone_number: string) => Effect.Effect<Erased>
  readonly collect: (workspace_id: string, phone_number: string) => Effect.Effect<Person>
}

/** The people behind phone numbers, and what they may ask for. */
export class People extends Context.Tag("outdial/People")<People, PeopleShape>() {
  static readonly layer = Layer.effect(this, make)
}
