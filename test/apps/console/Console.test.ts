import { gzipSync } from "node:zlib"
import { assert, describe, layer } from "@effect/vitest"
import { Effect, type Scope } from "effect"
import { agents } from "./Agents.ts"
import { campaign, running } from "./Campaigns.ts"
import { firstCall } from "./FirstCall.ts"
import { manyCalls } from "./ManyCalls.ts"
import { messages } from "./Messages.ts"
import { doNotCall, numbers } from "./Numbers.ts"
import { settings } from "./Settings.ts"
import { journey, Stand } from "./Stand.ts"
import { tests, testsByHand } from "./Tests.ts"
import { webhooks } from "./Webhooks.ts"

/** Of a journey, and of the start of server and browser: a machine with much else to do takes many times as long. */
const timeout = 180_000

layer(Stand.layer, { timeout })("the console", (it) => {
  const walks = (name: string, walk: Effect.Effect<void, never, Stand | Scope.Scope>) =>
    it.scoped(name, () => walk, { timeout, concurrent: false })

  describe("from an empty workspace on", { concurrent: true }, () => {
    walks("leads to the transcript and audio of the first call", journey(firstCall))

    describe("with a list of recipients", { concurrent: true }, () => {
      walks("has a messy list corrected and sent again, and its campaign simulated", journey(campaign))
    })

    describe("with a campaign", { concurrent: true }, () => {
      walks("has it started, watched, paused, simulated, resumed and exported", journey(running))
    })

    describe("beside them", { concurrent: true }, () => {
      // Before messages are sent, of which its endpoint would be told too.
      walks("sees a webhook fail, and has its event sent again once the receiver is mended", webhooks)

      walks(
        "has a message template written beside its preview, reviewed, sent and removed",
        journey(messages)
      )

      walks("changes the workspace, reads what was used, and makes and revokes a key", journey(settings))
    })
  })

  describe("where agents are made", { concurrent: true }, () => {
    walks("has an agent edited, tried by typing, and published", journey(agents))

    walks("has a suite generated, edited, run and read, and two runs compared", journey(tests))

    walks("has a suite made by hand, its run cancelled, and the suite removed", journey(testsByHand))
  })

  describe("where numbers are kept", { concurrent: true }, () => {
    walks("has a number found, added, given a label and released", journey(numbers))

    walks("has numbers put on the do-not-call list, found and taken off", journey(doNotCall))
  })

  walks(
    "lists 100,000 calls page by page, and filters them, by one request and 50 rows each",
    journey(manyCalls)
  )

  it.effect("is served with a policy without inline code, and its files for good", () =>
    Effect.gen(function* () {
      const { origin } = yield* Stand
      yield* Effect.promise(async () => {
        const page = await fetch(`${origin}/console/calls/any?status=failed`)
        assert.strictEqual(page.status, 200)
        assert.strictEqual(page.headers.get("cache-control"), "no-cache")
        const policy = page.headers.get("content-security-policy")!
        assert.include(policy, "default-src 'none'")
        assert.notInclude(policy, "unsafe")
        const text = await page.text()
        assert.notMatch(text, /<script(?! type="module" src=)|<style|\son\w+=|\sstyle=/)
        assert.include(text, 'content="/v0"')

        const script = await fetch(origin + /src="([^"]+)"/.exec(text)![1]!)
        assert.strictEqual(script.headers.get("cache-control"), "public, max-age=31536000, immutable")
        assert.include(script.headers.get("content-type"), "text/javascript")
        for (const path of ["assets/none.js", "assets/..%2Findex.html", "assets/"]) {
          assert.strictEqual((await fetch(`${origin}/console/${path}`)).status, 404, path)
        }
        const program = await fetch(origin, { redirect: "manual" })
        assert.strictEqual(program.status, 404)
        assert.strictEqual((await fetch(`${origin}/console`, { method: "POST" })).status, 405)
      })
    })
  )

  it.effect("loads less than 120 kB, gzipped, before its first page", () =>
    Effect.gen(function* () {
      const { origin } = yield* Stand
      const read = (path: string) => Effect.promise(async () => (await fetch(origin + path)).text())
      const page = yield* read("/console")
      const waiting = [...page.matchAll(/(?:src|href)="(\/console\/[^"]+)"/g)].map(([, path]) => path!)
      const loaded = new Map<string, number>([["/console", gzipSync(page).length]])
      for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
        if (loaded.has(path)) continue
        const text = yield* read(path)
        loaded.set(path, gzipSync(text).length)
        for (const [, name] of text.matchAll(/(?:\bfrom|\bimport)"\.\/([^"]+)"/g)) {
          waiting.push(`/console/assets/${name}`)
        }
      }
      assert.isAtLeast(loaded.size, 4)
      const total = [...loaded.values()].reduce((sum, bytes) => sum + bytes, 0)
      assert.isBelow(total, 120_000)
    })
  )
})
