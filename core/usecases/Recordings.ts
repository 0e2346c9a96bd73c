import { Clock, Context, Effect, Layer, Option } from "effect"
import { makeErasing } from "../engine/Erasing.ts"
import type { Page, PageRequest } from "../model/Page.ts"
import { type Recording, withLink } from "../model/recordings/Recording.ts"
import { LinkRefused, RecordingNotFound } from "../model/recordings/RecordingErrors.ts"
import { type PresentedLink, RecordingLinks } from "../ports/RecordingLinks.ts"
import { type Audio, RecordingStore } from "../ports/RecordingStore.ts"
import { Repository } from "../ports/Repository.ts"

const make = Effect.gen(function* () {
  const { recordings } = yield* Repository
  const store = yield* RecordingStore
  const links = yield* RecordingLinks
  const erase = yield* makeErasing

  const ofSession: RecordingsShape["ofSession"] = Effect.fn("Recordings.ofSession")(
    function* (workspace_id, session_id, page, origin) {
      const now = yield* Clock.currentTimeMillis
      const { data, total } = yield* recordings.ofSession(workspace_id, session_id, page)
      const link = (recording: Recording) => links.make(recording, now, origin)
      return { data: data.map((recording) => withLink(recording, link)), total }
    }
  )

  const completed = Effect.fnUntraced(function* (workspace_id: string, recording_id: string) {
    const found = yield* recordings.get(workspace_id, recording_id)
    if (Option.isSome(found) && found.value.status === "completed") return found.value
    return yield* new RecordingNotFound({ recording_id })
  })

  /** Audio that was deleted while it was on its way is not kept, even if no request waits for it any more. */
  const brought = Effect.fnUntraced(function* (recording: Recording) {
    const audio = yield* store.bring(recording)
    yield* completed(recording.customer_id, recording.id).pipe(Effect.tapError(() => store.remove(recording)))
    return Option.isSome(audio) ? audio.value : yield* new RecordingNotFound({ recording_id: recording.id })
  }, Effect.uninterruptible)

  const open: RecordingsShape["open"] = Effect.fn("Recordings.open")(function* (link) {
    const verdict = links.judge(link, yield* Clock.currentTimeMillis)
    if (verdict !== "good") return yield* new LinkRefused({ reason: verdict })
    const { recording_id, workspace_id } = link
    const here = yield* store.find(workspace_id, recording_id)
    if (Option.isSome(here)) return here.value
    return yield* Effect.flatMap(completed(workspace_id, recording_id), brought)
  })

  const remove: RecordingsShape["remove"] = Effect.fn("Recordings.remove")(
    function* (workspace_id, recording_id) {
      const found = yield* recordings.get(workspace_id, recording_id)
      return Option.isSome(found) ? yield* erase(found.value) : yield* new RecordingNotFound({ recording_id })
    }
  )

  return Recordings.of({ ofSession, open, remove })
})

export interface RecordingsShape {
  /**
   * Newest first, each with a new link for a client that reached the server at `origin`. A session that is unknown, or another
   * workspace's, has none.
   */
  readonly ofSession: (
    workspace_id: string,
    session_id: string,
    page: PageRequest,
    origin?: string
  ) => Effect.Effect<Page<Recording>>
  /** The audio that a link leads to. The link is judged by itself; audio that is here is not looked up either. */
  readonly open: (link: PresentedLink) => Effect.Effect<Audio, LinkRefused | RecordingNotFound>
  /** Deletes the audio; the record stays, with status deleted. Deleting twice is deleting once. */
  readonly remove: (workspace_id: string, recording_id: string) => Effect.Effect<Recording, RecordingNotFound>
}

/** What was recorded of sessions. */
export class Recordings extends Context.Tag("outdial/Recordings")<Recordings, RecordingsShape>() {
  static readonly layer = Layer.effect(this, make)
}
