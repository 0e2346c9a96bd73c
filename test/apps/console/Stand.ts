import { mkdirSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { fileURLToPath } from "node:url"
import { assert } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import type { Browser, BrowserContext, Page } from "playwright-core"
import { createClient } from "../../../apps/client/main.ts"
import { temporaryFile } from "../../adapters/sql/TemporaryFile.ts"
import * as Processes from "../../programs/Processes.ts"
import * as Programs from "../../programs/Programs.ts"
import { browser } from "./Browser.ts"

export const key = `od_live_0123456789abcdef_${"s".repeat(64)}`

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

/** Git-ignored. */
const folder = fileURLToPath(new URL("screenshots/", import.meta.url))

/** The real server, with the simulated carrier at twenty times its pace, at which its callees still talk, and one browser. */
export class Stand extends Context.Tag("test/console/Stand")<
  Stand,
  { readonly origin: string; readonly browser: Browser; readonly file: string }
>() {
  static readonly layer = Layer.scoped(
    this,
    Effect.gen(function* () {
      const port = yield* Processes.freePort
      const file = yield* temporaryFile
      const { server } = yield* Programs.programs
      const settings = {
        PORT: String(port),
        OUTDIAL_DATABASE_URL: `sqlite:${file}`,
        OUTDIAL_BOOTSTRAP_API_KEY: key,
        OUTDIAL_LOG_REQUESTS: "false",
        OUTDIAL_WEBHOOK_ALLOW_PRIVATE: "true",
        OUTDIAL_SIMULATED_SPEED: "20"
      }
      const started = Processes.scoped(server, [], settings, /Listening on/)
      mkdirSync(folder, { recursive: true })
      const [, opened] = yield* Effect.all([started, browser], { concurrency: 2 })
      return { origin: `http://127.0.0.1:${port}`, browser: opened, file }
    })
  ).pipe(Layer.orDie)
}

/** What a journey has: a tab of its own, and what must not happen in it. */
export interface Tab {
  readonly page: Page
  readonly origin: string
  readonly api: ReturnType<typeof createClient>
  /** The server's store. */
  readonly file: string
  /** Requests to other hosts, errors of scripts, and what the page's policy refused. */
  readonly faults: ReadonlyArray<string>
}

/** Pages that axe is at work in, which sets a style of its own. */
const checked = new Set<Page>()

const open = async (context: BrowserContext, origin: string, file: string): Promise<Tab> => {
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  const faults: Array<string> = []
  page.on("request", (request) => {
    const { host, protocol } = new URL(request.url())
    if (protocol.startsWith("http") && host !== new URL(origin).host) faults.push(`asked ${host}`)
  })
  page.on("pageerror", ({ message }) => faults.push(message))
  page.on("console", (message) => {
    if (checked.has(page)) return
    if (message.type() === "error" && !/status of 4\d\d/.test(message.text())) faults.push(message.text())
  })
  return { page, origin, file, faults, api: createClient({ baseUrl: `${origin}/v0`, apiKey: key }) }
}

/** A journey in a tab of its own, at the end of which there were no faults. */
export const journey = (walk: (tab: Tab) => Promise<void>) =>
  Effect.gen(function* () {
    const { browser, file, origin } = yield* Stand
    const context = yield* Effect.acquireRelease(
      Effect.promise(() => browser.newContext({ locale: "en-US", viewport: { width: 1_440, height: 900 } })),
      (context) => Effect.promise(() => context.close())
    )
    yield* Effect.promise(async () => {
      const tab = await open(context, origin, file)
      await walk(tab)
      assert.deepStrictEqual(tab.faults, [])
    })
  })

export const signIn = async ({ origin, page }: Tab, path = "") => {
  await page.goto(`${origin}/console${path}`)
  await page.getByLabel("API key").fill(key)
  await page.getByRole("button", { name: "Sign in" }).click()
}

interface Violation {
  readonly id: string
  readonly impact: string
  readonly nodes: ReadonlyArray<{ readonly target: ReadonlyArray<string> }>
}

const serious = async (page: Page, options: object): Promise<ReadonlyArray<string>> => {
  checked.add(page)
  if ((await page.evaluate("typeof axe")) === "undefined") await page.evaluate(axe)
  const asked = JSON.stringify({ resultTypes: ["violations"], preload: false, ...options })
  const found = (await page.evaluate(
    `axe.run(${asked}).then(({ violations }) => violations)`
  )) as ReadonlyArray<Violation>
  checked.delete(page)
  return found
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`)
}

/** Ends once nothing else is being read, and each waveform fills its place, where it is drawn anew for each width. */
const settled = `new Promise((resolve) => {
  const isFull = (place) => {
    const root = place.firstElementChild?.shadowRoot
    const width = root?.querySelector("canvas")?.clientWidth ?? 0
    return root == null || Math.abs(width - place.clientWidth) <= 2
  }
  const look = () => {
    const isBusy = document.querySelector("[aria-busy=true]") !== null
    if (!isBusy && Array.from(document.querySelectorAll(".waveform")).every(isFull)) resolve()
    else requestAnimationFrame(look)
  }
  look()
})`

/** How often something began or ended to be read so far; null while something is being read: its table is dimmed then. */
const reads = `(() => {
  if (window.reads === undefined) {
    window.reads = 0
    const options = { subtree: true, attributes: true, attributeFilter: ["aria-busy"] }
    new MutationObserver(() => { window.reads += 1 }).observe(document, options)
  }
  return document.querySelector("[aria-busy=true]") === null ? window.reads : null
})()`

/** What axe finds while nothing is being read: a look during which something was counts for nothing. */
const found = async (page: Page, options: object): Promise<ReadonlyArray<string>> => {
  for (;;) {
    await page.evaluate(settled)
    const before = await page.evaluate(reads)
    const violations = await serious(page, options)
    if (before !== null && before === (await page.evaluate(reads))) return violations
  }
}

/** A width may change what there is on a page; a scheme changes its colours alone. */
const widths = [
  { width: 1_440, height: 900 },
  { width: 360, height: 780 }
]
const schemes = [
  { colorScheme: "light", options: {} },
  { colorScheme: "dark", options: { runOnly: ["color-contrast"] } }
] as const

/** Whether each page has four pictures, from its top to its end; else it has one, of what a wide window shows. */
const hasAll = process.env["TEST_PICTURES"] === "all"

/**
 * Looks at a page at 360 and 1,440 px in both schemes: it must not scroll sideways, and axe must find nothing serious.
 * What it looks like is written to a file.
 */
export const inspect = async ({ page }: Tab, name: string) => {
  for (const { height, width } of widths) {
    await page.setViewportSize({ width, height })
    await page.evaluate("scrollTo(0, 0)")
    await page.evaluate(settled)
    const wide = await page.evaluate("document.documentElement.scrollWidth")
    assert.isAtMost(Number(wide), width, `${name} is too wide at ${width} px`)
    for (const { colorScheme, options } of schemes) {
      await page.emulateMedia({ colorScheme })
      if (hasAll || (width > 1_000 && colorScheme === "light")) {
        const path = `${folder}${name}-${width}-${colorScheme}.jpg`
        await page.screenshot({ path, type: "jpeg", quality: 80, fullPage: hasAll })
      }
      assert.deepStrictEqual(await found(page, options), [], `${name} at ${width} px, ${colorScheme}`)
    }
  }
  await page.emulateMedia({ colorScheme: null })
  await page.setViewportSize(widths[0]!)
}
