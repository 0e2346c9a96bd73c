import { Option } from "effect"
import type { Session } from "../../core/model/conversations/Session.ts"
import { platformWide } from "../../core/ports/Repository.ts"
import type { InboxEntry, KeptSession, SessionRows, Slice } from "../../core/ports/SessionRows.ts"
import { byText } from "./SortedSet.ts"
import type { Store } from "./Store.ts"
import { Table, take } from "./Table.ts"
import type { UndoLog } from "./UndoLog.ts"

export interface OfSession {
  readonly session_id: string
}

const keyOf = ({ customer_id, session_id }: Pick<KeptSession, "customer_id" | "session_id">) =>
  `${customer_id} ${session_id}`

const byEnd = (left: KeptSession, right: KeptSession): number =>
  left.ended_at - right.ended_at ||
  byText(left.customer_id, right.customer_id) ||
  byText(left.session_id, right.session_id)

const hasEnded = (session: Session): session is Session & KeptSession => session.ended_at !== null

const placeOf = ({ customer_id, ended_at, session_id }: KeptSession): KeptSession => ({
  ended_at,
  customer_id,
  session_id
})

export const makeSessions = (undo: UndoLog) => {
  const table = new Table<Session>(undo, ({ session_id }) => session_id)
  return {
    table,
    reviews: table.index(
      (left, right) =>
        left.review_due_at! - right.review_due_at! || byText(left.session_id, right.session_id),
      ({ review_due_at }) => review_due_at !== null
    ),
    slices: new Table<Slice & OfSession>(
      undo,
      ({ number, session_id }) => `${session_id} ${number}`,
      (left, right) => byText(left.session_id, right.session_id) || left.number - right.number
    ),
    inbox: new Table<InboxEntry & OfSession>(undo, ({ id, session_id }) => `${session_id} ${id}`)
  }
}

export const sessions = ({ read, undo, write }: Store): SessionRows => {
  /** Of all workspaces. */
  const kept = new Table<KeptSession>(undo, keyOf, byEnd)
  return {
    insert: (session) =>
      undo.verb(() => {
        if (read(session.customer_id).sessions.table.get(session.session_id) !== undefined) return false
        write(session.customer_id).sessions.table.insert(session)
        if (hasEnded(session)) kept.insert(placeOf(session))
        return true
      }),
    get: (workspace_id, session_id) =>
      undo.verb(() => Option.fromNullable(read(workspace_id).sessions.table.get(session_id))),
    update: (session) =>
      undo.verb(() => {
        const { table } = read(session.customer_id).sessions
        const stored = table.get(session.session_id)
        if (stored === undefined || stored.version !== session.version - 1) return false
        table.set({ ...session, credits: stored.credits })
        if (hasEnded(session) && stored.ended_at === null) kept.insert(placeOf(session))
        return true
      }),
    charge: (workspace_id, session_id, amount) =>
      undo.verb(() => {
        const { table } = read(workspace_id).sessions
        const stored = table.get(session_id)
        if (stored !== undefined) table.set({ ...stored, credits: stored.credits + amount })
      }),
    lookAt: (workspace_id, session_id, at) =>
      undo.verb(() => {
        const { table } = read(workspace_id).sessions
        const stored = table.get(session_id)
        if (stored === undefined || stored.status === "over" || (stored.review_due_at ?? 0) <= at) return
        table.set({ ...stored, review_due_at: at })
      }),
    append: (workspace_id, session_id, slice) =>
      undo.verb(() => {
        const { slices } = write(workspace_id).sessions
        if (slices.get(`${session_id} ${slice.number}`) !== undefined) return false
        slices.insert({ ...slice, session_id })
        return true
      }),
    slices: (workspace_id, session_id, after, limit) =>
      undo.verb(() =>
        take(
          read(workspace_id).sessions.slices.byAge.ascending(
            (slice) => byText(slice.session_id, session_id) || (slice.number > after ? 0 : -1)
          ),
          limit,
          (slice) => slice.session_id === session_id
        ).map(({ body, number }) => ({ number, body }))
      ),
    post: (workspace_id, session_id, entry) =>
      undo.verb(() => write(workspace_id).sessions.inbox.insert({ ...entry, session_id })),
    posted: (workspace_id, session_id, after) =>
      undo.verb(() =>
        take(
          read(workspace_id).sessions.inbox.byAge.ascending(
            (entry) => byText(entry.session_id, session_id) || (entry.id > after ? 0 : -1)
          ),
          Infinity,
          (entry) => entry.session_id === session_id
        ).map(({ body, id }) => ({ id, body }))
      ),
    reviewable: (workspace_id, now, limit) =>
      undo.verb(() =>
        take(
          read(workspace_id).sessions.reviews.ascending(),
          limit,
          ({ review_due_at }) => review_due_at! <= now
        )
      ),
    nextReview: (workspace_id) =>
      undo.verb(() => Option.fromNullable(read(workspace_id).sessions.reviews.first()?.review_due_at)),
    erase: (workspace_id, session_id) =>
      undo.verb(() => {
        const { inbox, slices, table } = read(workspace_id).sessions
        const of = (row: OfSession) => byText(row.session_id, session_id)
        const isOwn = (row: OfSession) => row.session_id === session_id
        for (const { number } of take(slices.byAge.ascending(of), Infinity, isOwn)) {
          slices.delete(`${session_id} ${number}`)
        }
        for (const { id } of take(inbox.byAge.ascending(of), Infinity, isOwn))
          inbox.delete(`${session_id} ${id}`)
        const session = table.get(session_id)
        if (session === undefined) return
        kept.delete(keyOf(session))
        table.set({
          ...session,
          review: null,
          review_status: "none",
          review_due_at: null,
          variables: null,
          version: session.version + 1
        })
      }),
    kept: (until, after, limit) =>
      undo.verb(() => {
        undo.touch(platformWide)
        return take(
          kept.byAge.ascending((session) => (after === null || byEnd(session, after) > 0 ? 0 : -1)),
          limit,
          ({ ended_at }) => ended_at <= until
        )
      }),
    keptOf: (workspace_id, until, after, limit) =>
      undo.verb(() => {
        undo.touch(workspace_id)
        const rows = kept.byAge.ascending((session) => (after === null || byEnd(session, after) > 0 ? 0 : -1))
        return take(
          Array.from(rows).filter(({ customer_id }) => customer_id === workspace_id),
          limit,
          ({ ended_at }) => ended_at <= until
        )
      })
  }
}
