import type { DoNotCallRows } from "../../core/ports/DoNotCallRows.ts"
import { formsOf, hashOf } from "../shared/NumberHash.ts"
import type { Store } from "./Store.ts"

export const doNotCall = ({ read, undo, write }: Store): DoNotCallRows => {
  const entryOf = (workspace_id: string, number: string) => {
    const { doNotCall, doNotCallKeys } = read(workspace_id)
    const key = doNotCallKeys.get(workspace_id)?.key ?? null
    return formsOf(key, number)
      .map((form) => doNotCall.get(form))
      .find((entry) => entry !== undefined)
  }
  const isListed = (workspace_id: string) => (number: string) => entryOf(workspace_id, number) !== undefined

  return {
    add: (workspace_id, numbers, at) =>
      undo.verb(() => {
        const isKnown = isListed(workspace_id)
        const unknown = new Set(numbers.filter((number) => !isKnown(number)))
        for (const number of unknown) write(workspace_id).doNotCall.insert({ number, created_at: at })
        return unknown.size
      }),
    contains: (workspace_id, number) => undo.verb(() => isListed(workspace_id)(number)),
    among: (workspace_id, numbers) => undo.verb(() => new Set(numbers.filter(isListed(workspace_id)))),
    remove: (workspace_id, number) =>
      undo.verb(() => {
        const entry = entryOf(workspace_id, number)
        return entry !== undefined && read(workspace_id).doNotCall.delete(entry.number)
      }),
    erase: (workspace_id, number, fresh) =>
      undo.verb(() => {
        const { doNotCall, doNotCallKeys } = write(workspace_id)
        const key = doNotCallKeys.get(workspace_id)?.key ?? fresh
        doNotCallKeys.set({ workspace_id, key })
        const entry = doNotCall.get(number)
        if (entry === undefined) return
        doNotCall.delete(number)
        doNotCall.set({ ...entry, number: hashOf(key, number) })
      }),
    list: (workspace_id, { phone_number, ...page }) =>
      undo.verb(() => {
        const sought = phone_number === undefined ? undefined : entryOf(workspace_id, phone_number)?.number
        return read(workspace_id).doNotCall.page(
          page,
          phone_number === undefined ? undefined : ({ number }) => number === sought
        )
      })
  }
}
