import { Effect, Option } from "effect"
import { day } from "../model/Codecs.ts"
import type { Recording } from "../model/recordings/Recording.ts"
import type { Workspace } from "../model/workspaces/Workspace.ts"
import type { KeptCall } from "../ports/PeopleRows.ts"
import { Repository } from "../ports/Repository.ts"
import type { KeptSession } from "../ports/SessionRows.ts"
import { makeCallErasing } from "./CallErasing.ts"
import { makeErasing } from "./Erasing.ts"
import { eraseByAge, type Kind } from "./ErasingByAge.ts"

/** Erases what a workspace keeps for a number of days that it has set itself, once they are over. */
export const makeWorkspaceRetention = Effect.gen(function* () {
  const { calls, people, recordings, sessions } = yield* Repository
  const eraseRecording = yield* makeErasing
  const { eraseCall, eraseRecipientOf } = yield* makeCallErasing

  const eraseCallOf = Effect.fnUntraced(function* (workspace_id: string, call_id: string) {
    const call = yield* calls.get(workspace_id, call_id)
    if (Option.isNone(call)) return
    yield* eraseRecipientOf(call.value)
    yield* eraseCall(call.value)
  })

  return Effect.fnUntraced(function* (workspace: Workspace, now: number) {
    const { call_retention_days, id, recording_retention_days, transcript_retention_days } = workspace
    const ofRecordings: Kind<Recording> = {
      kept: (until, after, limit) => recordings.keptOf(id, until, after, limit),
      erase: eraseRecording,
      nameOf: (recording) => ({ recording_id: recording.id })
    }
    const ofSessions: Kind<KeptSession> = {
      kept: (until, after, limit) => sessions.keptOf(id, until, after, limit),
      erase: ({ session_id }) => sessions.erase(id, session_id),
      nameOf: ({ session_id }) => ({ session_id })
    }
    const ofCalls: Kind<KeptCall> = {
      kept: (until, after, limit) => people.keptCalls(id, until, after, limit),
      erase: ({ call_id }) => eraseCallOf(id, call_id),
      nameOf: ({ call_id }) => ({ call_id })
    }
    const erase = <A>(kind: Kind<A>, days: number | null) =>
      days === null ? Effect.void : eraseByAge(kind, now - days * day)
    yield* erase(ofRecordings, recording_retention_days)
    yield* erase(ofSessions, transcript_retention_days)
    yield* erase(ofCalls, call_retention_days)
  })
})
