import { Option } from "effect"
import { deleted, type Recording } from "../../core/model/recordings/Recording.ts"
import type { KeptRecording, RecordingRows } from "../../core/ports/RecordingRows.ts"
import { platformWide } from "../../core/ports/Repository.ts"
import { byText } from "./SortedSet.ts"
import type { Store } from "./Store.ts"
import { Table, take } from "./Table.ts"

const byAge = (left: KeptRecording, right: KeptRecording): number =>
  left.created_at - right.created_at ||
  byText(left.customer_id, right.customer_id) ||
  byText(left.id, right.id)

export const recordings = ({ undo, read, write }: Store): RecordingRows => {
  /** Of all workspaces. */
  const kept = new Table<Recording>(undo, ({ customer_id, id }) => `${customer_id} ${id}`, byAge)
  const secrets = new Table<string>(undo, () => "recording_links")
  const insert = (recording: Recording): boolean => {
    const { bySource, table } = write(recording.customer_id).recordings
    const known = bySource.find(
      (other) =>
        byText(other.session_id, recording.session_id) ||
        byText(other.carrier_recording_id, recording.carrier_recording_id)
    )
    if (known !== undefined) return false
    table.insert(recording)
    if (recording.status === "completed") kept.insert(recording)
    return true
  }

  return {
    insert: (...all) => undo.verb(() => all.map(insert)),
    get: (workspace_id, id) =>
      undo.verb(() => Option.fromNullable(read(workspace_id).recordings.table.get(id))),
    ofSession: (workspace_id, session_id, page) =>
      undo.verb(() =>
        read(workspace_id).recordings.table.page(page, (recording) => recording.session_id === session_id)
      ),
    erase: (workspace_id, id) =>
      undo.verb(() => {
        const { table } = read(workspace_id).recordings
        const stored = table.get(id)
        if (stored === undefined || stored.status === "deleted") return false
        table.set(deleted(stored))
        kept.delete(`${workspace_id} ${id}`)
        return true
      }),
    kept: (until, after, limit) =>
      undo.verb(() => {
        undo.touch(platformWide)
        return take(
          kept.byAge.ascending((recording) => (after === null || byAge(recording, after) > 0 ? 0 : -1)),
          limit,
          ({ created_at }) => created_at <= until
        )
      }),
    keptOf: (workspace_id, until, after, limit) =>
      undo.verb(() => {
        undo.touch(workspace_id)
        const isOwn = ({ customer_id }: Recording) => customer_id === workspace_id
        const rows = kept.byAge.ascending((one) => (after === null || byAge(one, after) > 0 ? 0 : -1))
        return take(Array.from(rows).filter(isOwn), limit, ({ created_at }) => created_at <= until)
      }),
    secret: (fresh) =>
      undo.verb(() => {
        undo.touch(platformWide)
        const known = secrets.get("recording_links")
        if (known === undefined) secrets.set(fresh)
        return known ?? fresh
      })
  }
}
