import process from "node:process"
import { assert } from "@effect/vitest"
import Sqlite from "better-sqlite3"
import { signIn, type Tab } from "./Stand.ts"

const many = 100_000

/** What a seeded call has otherwise than the call that it is a copy of. */
const other: Readonly<Record<string, string>> = {
  call_id: "'call_0' || printf('%025d', n)",
  idempotency_key: "null",
  created_at: "created_at - n * 60000",
  status: "case when n % 1000 = 0 then 'cancelled' else 'completed' end",
  outcome: "case when n % 1000 = 0 then 'cancelled' else 'answered' end"
}

/** Puts copies of an ended call into the store, each a minute older than the one before. */
const seed = (file: string, call_id: string) => {
  const database = new Sqlite(file, { timeout: 10_000 })
  const columns = database
    .prepare<[], { readonly name: string }>("select name from pragma_table_info('calls')")
    .all()
    .map(({ name }) => name)
  database
    .prepare(
      `with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${many}) ` +
        `insert into calls (${columns.join(", ")}) ` +
        `select ${columns.map((name) => other[name] ?? name).join(", ")} from calls, numbers where call_id = ?`
    )
    .run(call_id)
  database.close()
}

/** In the page: how long from a click or choice until the list says that it shows something else. */
const watching = `
  globalThis.taken = new Promise((resolve) => {
    const text = () => document.querySelector(".pager span")?.textContent
    const before = text()
    const begin = () => {
      const begun = performance.now()
      const observer = new MutationObserver(() => {
        if (text() === undefined || text() === before) return
        observer.disconnect()
        requestAnimationFrame(() => resolve(performance.now() - begun))
      })
      observer.observe(document, { subtree: true, childList: true, characterData: true })
    }
    for (const type of ["click", "change"]) addEventListener(type, begin, { capture: true, once: true })
  })
  undefined
`

const rowsOf = (page: Tab["page"]) => page.locator("tbody tr")

/**
 * The list of calls with 100,000 behind it. What is held is what makes it quick: one request for a page, 50 rows
 * whatever is behind them, and no row of the pages before. How long it took is printed.
 */
export const manyCalls = async (tab: Tab) => {
  const { api, file, page } = tab
  const [agent] = (await api.agents.list({ published: true })).data
  const { call_id } = await api.calls.place({ agent_id: agent!.id, to_number: "+14155550005" })
  await signIn(tab, `/calls/${call_id}`)
  await page.locator("header").getByText("Failed").waitFor()
  seed(file, call_id)

  const asked: Array<string> = []
  page.on("request", (request) => {
    const { pathname, search } = new URL(request.url())
    if (pathname === "/v0/calls") asked.push(search)
  })
  const times: Array<string> = []
  /** Does something that shows another page of the list, which one request must bring. */
  const timed = async (name: string, act: () => Promise<unknown>, shown: () => Promise<unknown>) => {
    asked.length = 0
    await page.evaluate(watching)
    await act()
    await shown()
    times.push(`${name} ${Math.round(Number(await page.evaluate("taken")))} ms`)
    assert.lengthOf(asked, 1, name)
    assert.isAtMost(await rowsOf(page).count(), 50, name)
    assert.notInclude(asked[0], "offset")
  }
  const older = page.getByRole("link", { name: "Older" })
  const range = (text: RegExp) => page.locator(".pager").getByText(text).waitFor()

  await page.getByRole("link", { name: "Calls", exact: true }).click()
  await range(/^1 to 50 of 100,/)
  assert.strictEqual(await rowsOf(page).count(), 50)
  await timed(
    "next page",
    () => older.click(),
    () => range(/^51 to 100 of 100,/)
  )
  await timed(
    "page before",
    () => page.getByRole("link", { name: "Newer" }).click(),
    () => range(/^1 to 50 of/)
  )
  const status = page.getByLabel("Status")
  await timed(
    "filter for few",
    () => status.selectOption("cancelled"),
    () => range(/^1 to 50 of 1\d\d$/)
  )
  await timed(
    "filter for most",
    () => status.selectOption("completed"),
    () => range(/^1 to 50 of (99|100),/)
  )
  const deep = `?status=completed&after=call_0${String(many - 500).padStart(25, "0")}&page=1990`
  await page.goto(page.url().replace(/\?.*/, deep))
  await range(/^99,451 to 99,500 of/)
  await timed(
    "next page, 99,500 calls deep",
    () => older.click(),
    () => range(/^99,501 to 99,550 of/)
  )
  process.stdout.write(`${many} calls: ${times.join(", ")}\n`)
}
