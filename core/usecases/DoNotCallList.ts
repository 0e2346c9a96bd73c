import { Clock, Context, Effect, Either, Layer, Schema, Stream } from "effect"
import { makeNoting } from "../engine/Noting.ts"
import { answeredErrors, RowError } from "../model/campaigns/CampaignImport.ts"
import { columnsOf, phoneOf, rowError } from "../model/campaigns/ImportedRows.ts"
import { Timestamp } from "../model/Codecs.ts"
import type { InvalidInput } from "../model/InvalidInput.ts"
import { NotOnTheList } from "../model/numbers/PhoneNumberErrors.ts"
import type { Page } from "../model/Page.ts"
import type { DoNotCallRequest } from "../ports/DoNotCallRows.ts"
import { Repository } from "../ports/Repository.ts"
import { TableReader, type TableRefused, type TablesBusy } from "../ports/TableReader.ts"
import { known } from "./ListPlace.ts"

/** A number that the workspace must not call. */
export const Blocked = Schema.Struct({
  phone_number: Schema.String.annotations({
    description: "The number; of a person who was erased, a keyed hash of it that begins with `hmac-sha256:`"
  }),
  created_at: Timestamp
}).annotations({ identifier: "DoNotCallEntry" })
export type Blocked = typeof Blocked.Type

/** What became of the rows of an uploaded list. A number that was on it already counts as accepted. */
export const DoNotCallImport = Schema.Struct({
  total_rows: Schema.Int,
  accepted_rows: Schema.Int,
  rejected_rows: Schema.Int,
  added: Schema.Int.annotations({ description: "Numbers that were not on the list" }),
  errors: Schema.Array(RowError).annotations({ description: "The first 10,000" })
}).annotations({ identifier: "DoNotCallImport" })
export type DoNotCallImport = typeof DoNotCallImport.Type

const make = Effect.gen(function* () {
  const repository = yield* Repository
  const reader = yield* TableReader
  const { noted } = yield* makeNoting

  const add: DoNotCallListShape["add"] = Effect.fn("DoNotCallList.add")(function* (workspace_id, numbers) {
    const now = yield* Clock.currentTimeMillis
    return yield* noted(workspace_id, repository.doNotCall.add(workspace_id, numbers, now))
  })

  const remove: DoNotCallListShape["remove"] = Effect.fn("DoNotCallList.remove")(
    (workspace_id, phone_number) =>
      noted(
        workspace_id,
        Effect.filterOrFail(
          repository.doNotCall.remove(workspace_id, phone_number),
          (removed) => removed,
          () => new NotOnTheList()
        )
      )
  )

  const list: DoNotCallListShape["list"] = Effect.fn("DoNotCallList.list")(function* (workspace_id, page) {
    yield* known(page, "a number on the list", (number) =>
      repository.doNotCall.contains(workspace_id, number)
    )
    const { data, total } = yield* repository.doNotCall.list(workspace_id, page)
    return { data: data.map(({ created_at, number }) => ({ phone_number: number, created_at })), total }
  })

  const upload: DoNotCallListShape["upload"] = Effect.fn("DoNotCallList.upload")(function* (
    workspace_id,
    file
  ) {
    const table = yield* reader.open(workspace_id, file)
    const { phone } = yield* columnsOf(table.header)
    const errors: Array<RowError> = []
    let rejected = 0
    let total = 0
    let added = 0
    yield* Stream.runForEach(table.rows, (slice) => {
      const numbers: Array<string> = []
      for (const { cells, row } of slice) {
        const number = phoneOf(cells[phone] ?? "")
        if (Either.isRight(number)) numbers.push(number.right)
        else if (++rejected <= answeredErrors) errors.push(rowError(row, number.left, cells[phone]))
      }
      total += slice.length
      return Effect.map(add(workspace_id, numbers), (fresh) => {
        added += fresh
      })
    })
    return {
      total_rows: total,
      accepted_rows: total - rejected,
      rejected_rows: rejected,
      added,
      errors
    }
  }, Effect.scoped)

  return DoNotCallList.of({ add, remove, list, upload })
})

export interface DoNotCallListShape {
  /** Answers how many were not on the list. */
  readonly add: (workspace_id: string, numbers: ReadonlyArray<string>) => Effect.Effect<number>
  readonly remove: (workspace_id: string, phone_number: string) => Effect.Effect<void, NotOnTheList>
  readonly list: (workspace_id: string, page: DoNotCallRequest) => Effect.Effect<Page<Blocked>, InvalidInput>
  /** Adds the numbers of a file's phone column; rows without a number are told, and left out. */
  readonly upload: (
    workspace_id: string,
    file: Uint8Array
  ) => Effect.Effect<DoNotCallImport, TableRefused | TablesBusy | InvalidInput>
}

/** The numbers that a workspace must not call: skipped by imports, and refused at each dial. */
export class DoNotCallList extends Context.Tag("outdial/DoNotCallList")<DoNotCallList, DoNotCallListShape>() {
  static readonly layer = Layer.effect(this, make)
}
