import { Option } from "effect"
import type { BatchItem, CallBatch } from "../../core/model/calls/CallBatch.ts"
import type { CallBatchRows } from "../../core/ports/CallBatchRows.ts"
import { byText } from "./SortedSet.ts"
import type { Store } from "./Store.ts"
import { Table, take } from "./Table.ts"
import type { UndoLog } from "./UndoLog.ts"

export interface Part {
  readonly batch_id: string
  readonly part: number
  readonly items: ReadonlyArray<BatchItem>
}

const partKey = (batch_id: string, part: number) => `${batch_id} ${part}`

export const makeCallBatches = (undo: UndoLog) => {
  const table = new Table<CallBatch>(undo, ({ id }) => id)
  return {
    table,
    byKey: table.index(
      (left, right) => byText(left.idempotency_key!, right.idempotency_key!),
      ({ idempotency_key }) => idempotency_key !== null
    ),
    parts: new Table<Part>(
      undo,
      ({ batch_id, part }) => partKey(batch_id, part),
      (left, right) => byText(left.batch_id, right.batch_id) || left.part - right.part
    )
  }
}

export const callBatches = ({ undo, read, write }: Store): CallBatchRows => ({
  insert: (batch) =>
    undo.verb(() => {
      const { byKey, table } = write(batch.customer_id).callBatches
      const { idempotency_key } = batch
      const taken =
        idempotency_key === null
          ? undefined
          : byKey.find((other) => byText(other.idempotency_key!, idempotency_key))
      if (taken === undefined) table.insert(batch)
      return Option.fromNullable(taken)
    }),
  get: (workspace_id, id) =>
    undo.verb(() => Option.fromNullable(read(workspace_id).callBatches.table.get(id))),
  addPart: (workspace_id, batch_id, part, items) =>
    undo.verb(() => write(workspace_id).callBatches.parts.insert({ batch_id, part, items })),
  part: (workspace_id, id, part) =>
    undo.verb(() =>
      Option.map(
        Option.fromNullable(read(workspace_id).callBatches.parts.get(partKey(id, part))),
        ({ items }) => items
      )
    ),
  items: (workspace_id, id) =>
    undo.verb(() =>
      take(
        read(workspace_id).callBatches.parts.byAge.ascending((part) => byText(part.batch_id, id)),
        Infinity,
        ({ batch_id }) => batch_id === id
      ).flatMap(({ items }) => items)
    ),
  cancel: (workspace_id, id, cancelled_at) =>
    undo.verb(() => {
      const { table } = read(workspace_id).callBatches
      const batch = table.get(id)
      if (batch !== undefined && batch.cancelled_at === null) table.set({ ...batch, cancelled_at })
    })
})
