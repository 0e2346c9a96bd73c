import { Context, Effect, Layer } from "effect"
import type { Page, PageRequest } from "../Page.ts"
import { Repository } from "../ports/Repository.ts"
import type { Recording } from "./Recording.ts"

const make = Effect.map(Repository, ({ recordings }) =>
  Recordings.of({ ofSession: Effect.fn("Recordings.ofSession")(recordings.ofSession) })
)

export interface RecordingsShape {
  /** Newest first. A session that is unknown, or another workspace's, has none. */
  readonly ofSession: (
    workspace_id: string,
    session_id: string,
    page: PageRequest
  ) => Effect.Effect<Page<Recording>>
}

/** What was recorded of sessions. */
export class Recordings extends Context.Tag("outdial/Recordings")<Recordings, RecordingsShape>() {
  static readonly layer = Layer.effect(this, make)
}
