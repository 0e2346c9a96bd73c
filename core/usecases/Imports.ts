import {
  Cause,
  Clock,
  Context,
  Effect,
  Either,
  ExecutionStrategy,
  Exit,
  Layer,
  Option,
  Ref,
  Schema,
  Scope,
  Stream
} from "effect"
import { makeCampaignStore } from "../engine/CampaignStore.ts"
import { makeNoting } from "../engine/Noting.ts"
import { makeOutbox, ofCampaign } from "../engine/Outbox.ts"
import {
  type CampaignNotFound,
  type CampaignRefused,
  ImportNotFound
} from "../model/campaigns/CampaignErrors.ts"
import {
  answeredErrors,
  type CampaignImport,
  ImportSummary,
  keptErrors,
  type RowError
} from "../model/campaigns/CampaignImport.ts"
import { accept, type Accepted, type Columns, columnsOf, rowError } from "../model/campaigns/ImportedRows.ts"
import type { Recipient } from "../model/campaigns/Recipient.ts"
import { minute, second } from "../model/Codecs.ts"
import type { InvalidInput } from "../model/InvalidInput.ts"
import type { Page, PageRequest } from "../model/Page.ts"
import type { Row } from "../model/tables/Row.ts"
import { Ids } from "../ports/Ids.ts"
import type { ImportKey } from "../ports/ImportRows.ts"
import { Repository } from "../ports/Repository.ts"
import { TableReader, type TableRefused, type TablesBusy } from "../ports/TableReader.ts"
import { makeAddRecipients } from "./AddRecipients.ts"
import { makeThenWake } from "./Woken.ts"

export interface Upload {
  readonly filename: string
  readonly file: Uint8Array
}

/** The answer to an upload, piece by piece: recipients as they are added, the record at the end. */
export type ImportPart =
  | { readonly _tag: "Recipients"; readonly recipients: ReadonlyArray<Recipient> }
  | { readonly _tag: "Import"; readonly campaignImport: CampaignImport }

/** A process says this often that it is alive; an import of which it has not for `longest` was cut short with it. */
const beat = 20 * second
const longest = 2 * minute

/** How often imports are looked for that were cut short, and how many are read at one time. */
const lookEvery = minute
const atOnce = 100

const contentTypes = {
  csv: "text/csv",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
} as const

const encodeSummary = Schema.encodeSync(ImportSummary)

/** What an upload has come to so far. `rows` are the rows in which numbers were first seen. */
interface Progress {
  readonly rows: Map<string, number>
  /** The first, as many as are answered. */
  readonly errors: Array<RowError>
  total: number
  accepted: number
}

/** The rows of a slice that are new to the file, and the errors of the others. */
const sift = (progress: Progress, columns: Columns, slice: ReadonlyArray<Row>) => {
  const fresh: Array<Accepted> = []
  const errors: Array<RowError> = []
  for (const row of slice) {
    progress.total += 1
    const read = accept(columns, row)
    if (Either.isLeft(read)) {
      errors.push(read.left)
      continue
    }
    const first = progress.rows.get(read.right.phone_number)
    if (first === undefined) {
      progress.rows.set(read.right.phone_number, row.row)
      fresh.push(read.right)
    } else {
      errors.push(rowError(row.row, `repeats the phone number of row ${first}`, row.cells[columns.phone]))
    }
  }
  return { fresh, errors }
}

const make = Effect.gen(function* () {
  const repository = yield* Repository
  const thenWake = yield* makeThenWake
  const reader = yield* TableReader
  const ids = yield* Ids
  const store = yield* makeCampaignStore
  const intake = yield* makeAddRecipients
  const outbox = yield* makeOutbox
  const { noted } = yield* makeNoting

  const tell = Effect.fnUntraced(function* (ended: CampaignImport, now: number) {
    const found = yield* repository.campaigns.get(ended.customer_id, ended.campaign_id)
    if (Option.isNone(found)) return
    const data = () => JSON.stringify(encodeSummary(ended))
    const news = { type: "import_completed" as const, of: ofCampaign(found.value.campaign), data }
    yield* outbox.tell(ended.customer_id, [news], now)
  })

  /** Stores the end of an import and tells of it, unless that was done. */
  const close = Effect.fnUntraced(function* (ended: CampaignImport, now: number) {
    const kept = { ...ended, errors: ended.errors.slice(0, keptErrors) }
    if (yield* repository.imports.update(kept)) yield* tell(kept, now)
  })

  const finish = Effect.fnUntraced(function* (
    begun: CampaignImport,
    progress: Progress,
    status: CampaignImport["status"]
  ) {
    const now = yield* Clock.currentTimeMillis
    const ended: CampaignImport = {
      ...begun,
      status,
      total_rows: progress.total,
      accepted_rows: progress.accepted,
      rejected_rows: progress.total - progress.accepted,
      errors: progress.errors,
      completed_at: now
    }
    yield* repository.transaction(begun.customer_id, close(ended, now))
    return ended
  })

  const add = Effect.fnUntraced(function* (
    begun: CampaignImport,
    progress: Progress,
    columns: Columns,
    slice: ReadonlyArray<Row>
  ) {
    const { errors, fresh } = sift(progress, columns, slice)
    const placeOf = yield* intake.placesFor(begun.customer_id, begun.campaign_id)
    const stored = Effect.gen(function* () {
      const taken =
        fresh.length === 0
          ? []
          : yield* intake.take(begun.customer_id, begun.campaign_id, fresh, begun.created_at, placeOf)
      const added: Array<Recipient> = []
      const refused = [...errors]
      for (const [i, each] of taken.entries()) {
        if (each._tag === "Added") added.push(each.recipient)
        else {
          const { phone_number, row } = fresh[i]!
          const error = `has the phone number of recipient ${each.recipient_id}, which the campaign has already`
          refused.push(rowError(row, error, phone_number))
        }
      }
      refused.sort((a, b) => a.row - b.row)
      if (refused.length > 0) yield* repository.imports.addErrors(begun, refused)
      const accepted_rows = progress.accepted + added.length
      const isOpen = yield* repository.imports.update({
        ...begun,
        total_rows: progress.total,
        accepted_rows,
        rejected_rows: progress.total - accepted_rows
      })
      return isOpen ? { added, refused } : yield* Effect.dieMessage("another process has closed the import")
    })
    const storing = repository.transaction(begun.customer_id, stored)
    const { added, refused } = yield* thenWake(begun.customer_id, storing)
    progress.errors.push(...refused.slice(0, answeredErrors - progress.errors.length))
    progress.accepted += added.length
    return added
  })

  const upload: ImportsShape["upload"] = Effect.fn("Imports.upload")(function* (
    workspace_id,
    campaign_id,
    { file, filename }
  ) {
    yield* intake.ready(workspace_id, campaign_id)
    const reading = yield* Scope.fork(yield* Effect.scope, ExecutionStrategy.sequential)
    const table = yield* Scope.extend(reader.open(workspace_id, file), reading)
    const columns = yield* columnsOf(table.header)
    const begun: CampaignImport = {
      id: yield* ids.make("imp"),
      customer_id: workspace_id,
      campaign_id,
      filename,
      source_uri: null,
      status: "processing",
      total_rows: 0,
      accepted_rows: 0,
      rejected_rows: 0,
      errors: [],
      metadata: { content_type: contentTypes[table.format] },
      created_at: yield* Clock.currentTimeMillis,
      completed_at: null
    }
    const progress: Progress = { rows: new Map(), errors: [], total: 0, accepted: 0 }
    const done = yield* Ref.make(false)
    yield* noted(workspace_id, repository.imports.insert(begun, begun.created_at + longest))
    const renew = Effect.flatMap(Clock.currentTimeMillis, (now) =>
      repository.imports.renew(begun, now + longest)
    )
    yield* Effect.forkScoped(Effect.forever(Effect.delay(Effect.ignoreLogged(Effect.sandbox(renew)), beat)))
    yield* Effect.addFinalizer(() => Effect.unlessEffect(finish(begun, progress, "failed"), Ref.get(done)))
    const recipients = table.rows.pipe(
      Stream.mapEffect((slice) => Effect.orDie(add(begun, progress, columns, slice))),
      Stream.filter((added) => added.length > 0),
      Stream.map((added): ImportPart => ({ _tag: "Recipients", recipients: added }))
    )
    const record = Effect.suspend(() =>
      finish(begun, progress, progress.accepted === progress.total ? "completed" : "completed_with_errors")
    ).pipe(
      Effect.zipLeft(Ref.set(done, true)),
      Effect.uninterruptible,
      Effect.map((campaignImport): ImportPart => ({ _tag: "Import", campaignImport }))
    )
    const read = Stream.execute(Scope.close(reading, Exit.void))
    return Stream.concat(Stream.concat(recipients, read), Stream.fromEffect(record))
  })

  const slicesOf = (key: ImportKey) =>
    Stream.unfoldEffect(0, (after) =>
      Effect.map(repository.imports.errorsAfter(key, after), (slice) =>
        slice.length === 0 ? Option.none() : Option.some([slice, slice.at(-1)!.row] as const)
      )
    )

  const get: ImportsShape["get"] = Effect.fn("Imports.get")(function* (workspace_id, campaign_id, import_id) {
    yield* store.load(workspace_id, campaign_id)
    const found = yield* repository.imports.get(workspace_id, campaign_id, import_id)
    if (Option.isNone(found)) return yield* new ImportNotFound({ import_id })
    return found.value
  })

  const list: ImportsShape["list"] = Effect.fn("Imports.list")(function* (workspace_id, campaign_id, page) {
    yield* store.load(workspace_id, campaign_id)
    return yield* repository.imports.list(workspace_id, campaign_id, page)
  })

  const errors: ImportsShape["errors"] = Effect.fn("Imports.errors")(
    function* (workspace_id, campaign_id, import_id) {
      const found = yield* get(workspace_id, campaign_id, import_id)
      const slices = slicesOf({ customer_id: workspace_id, campaign_id, id: import_id })
      // Imports of earlier versions have no others than those of their record.
      return Stream.orElseIfEmpty(slices, () => found.errors)
    }
  )

  /** Closes an import whose process has died, with what it has stored. */
  const closeOverdue = Effect.fnUntraced(function* (key: ImportKey) {
    const errors = yield* Stream.runCollect(slicesOf(key)).pipe(
      Effect.map((slices) => Array.from(slices).flat())
    )
    const work = Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const found = yield* repository.imports.getOverdue(key, now)
      if (Option.isNone(found)) return
      yield* close({ ...found.value, status: "failed", errors, completed_at: now }, now)
    })
    yield* thenWake(key.customer_id, repository.transaction(key.customer_id, work))
  })

  const closeAllOverdue: ImportsShape["closeAllOverdue"] = Effect.gen(function* () {
    for (;;) {
      const overdue = yield* repository.imports.overdue(yield* Clock.currentTimeMillis, atOnce)
      yield* Effect.forEach(overdue, closeOverdue, { discard: true })
      if (overdue.length < atOnce) return
    }
  }).pipe(Effect.withSpan("Imports.closeAllOverdue"))

  return Imports.of({ upload, get, list, errors, closeAllOverdue })
})

export interface ImportsShape {
  /**
   * Reads a file to its end, then adds its good rows piece by piece, as the stream is pulled. What is added stays
   * added; an upload that is broken off ends as `failed`, and the same file can be sent again. The record that
   * the stream ends with lists the first ten thousand errors, the one that is kept the first thousand.
   */
  readonly upload: (
    workspace_id: string,
    campaign_id: string,
    upload: Upload
  ) => Effect.Effect<
    Stream.Stream<ImportPart>,
    CampaignNotFound | CampaignRefused | TableRefused | TablesBusy | InvalidInput,
    Scope.Scope
  >
  readonly get: (
    workspace_id: string,
    campaign_id: string,
    import_id: string
  ) => Effect.Effect<CampaignImport, CampaignNotFound | ImportNotFound>
  readonly list: (
    workspace_id: string,
    campaign_id: string,
    page: PageRequest
  ) => Effect.Effect<Page<CampaignImport>, CampaignNotFound>
  /** Every refused row, in the order of the file, in slices. */
  readonly errors: (
    workspace_id: string,
    campaign_id: string,
    import_id: string
  ) => Effect.Effect<Stream.Stream<ReadonlyArray<RowError>>, CampaignNotFound | ImportNotFound>
  /** Ends, as `failed`, the imports of all workspaces whose process has died, and tells of each once. */
  readonly closeAllOverdue: Effect.Effect<void>
}

/** Uploaded files of recipients. */
export class Imports extends Context.Tag("outdial/Imports")<Imports, ImportsShape>() {
  static readonly layer = Layer.effect(this, make)

  /** Closes imports whose process has died, as long as the scope lives. Several processes may do it at the same time. */
  static readonly closing = Layer.scopedDiscard(
    Effect.flatMap(this, ({ closeAllOverdue }) =>
      Effect.forkScoped(
        Effect.forever(
          Effect.zipRight(
            Effect.catchAllCause(closeAllOverdue, (cause) =>
              Cause.isInterruptedOnly(cause)
                ? Effect.interrupt
                : Effect.logError("imports that were cut short could not be closed", cause)
            ),
            Effect.sleep(lookEvery)
          )
        )
      )
    )
  )
}
