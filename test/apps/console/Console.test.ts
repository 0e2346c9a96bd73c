import { gzipSync } from "node:zlib"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { campaignJourney } from "./Campaigns.ts"
import { manyCalls } from "./ManyCalls.ts"
import { messages } from "./Messages.ts"
import { doNotCall, numbers } from "./Numbers.ts"
import { settings } from "./Settings.ts"
import { inspect, journey, key, signIn, Stand } from "./Stand.ts"
import { tests, testsByHand } from "./Tests.ts"
import { webhooks } from "./Webhooks.ts"

layer(Stand.layer, { timeout: "60 seconds" })("the console", (it) => {
  it.scoped("leads from the empty workspace to the transcript and audio of the first call", () =>
    journey(async (tab) => {
      const { api, origin, page } = tab
      await api.webhooks.create({ url: `${origin}/health/live` })
      await page.goto(origin)
      assert.strictEqual(page.url(), `${origin}/console`)
      await page.getByLabel("API key").fill("od_live_wrong")
      await page.getByRole("button", { name: "Sign in" }).click()
      await page.getByText("The server does not take this key.").waitFor()
      await inspect(tab, "sign-in")
      await signIn(tab)

      await page.getByRole("heading", { name: "Three steps to a first call" }).waitFor()
      await page.getByRole("link", { name: "Place the first call" }).waitFor()
      await inspect(tab, "first-steps")
      await page.getByRole("link", { name: "Place the first call" }).click()
      await page.getByLabel("Number to call").fill("+14155550123")
      await page.getByLabel("Callee's name").fill("Ada <img src=x onerror=alert(1)>")
      await page.getByLabel("company").fill("<b>Acme</b>")
      await inspect(tab, "new-call")
      await page.getByRole("button", { name: "Place the call" }).click()

      await page.locator(".turn").getByText("this is the assistant of <b>Acme</b>").waitFor()
      await page.locator("[data-drawn=true]").waitFor()
      await page.getByText("Webhook deliveries").waitFor()
      await page.getByText("call_completed").click()
      await page.getByText('"event_type": "call_completed"').waitFor()
      assert.strictEqual(
        await page.getByRole("heading", { level: 1 }).textContent(),
        "Ada <img src=x onerror=alert(1)>"
      )
      await inspect(tab, "call")

      await page.reload()
      await page.locator(".turn").getByText("this is the assistant of <b>Acme</b>").waitFor()
      await page.getByRole("link", { name: "Calls", exact: true }).click()
      await page.getByRole("cell", { name: "Answered" }).waitFor()
      await inspect(tab, "calls")
      const [agent] = (await api.agents.list({ published: true })).data
      await api.calls.place({
        agent_id: agent!.id,
        to_number: "+14155550001",
        callee_name: "Placed elsewhere",
        metadata: { "<b>note</b>": "<script>alert(1)</script>" }
      })
      await page.getByRole("row", { name: "Placed elsewhere" }).getByText("Failed").waitFor()
      await page.getByLabel("Status").selectOption("cancelled")
      await page.getByText("No calls pass these filters").waitFor()
      assert.include(page.url(), "status=cancelled")

      await page.getByRole("button", { name: "Clear" }).click()
      await page.getByLabel("Number ends in").fill("0001")
      await page.keyboard.press("Enter")
      await page.getByRole("link", { name: "Ada" }).waitFor({ state: "detached" })
      await page.getByRole("link", { name: "Placed elsewhere" }).click()
      await page.getByText("The call's record").click()
      await page.locator("pre", { hasText: '"<b>note</b>": "<script>alert(1)</script>"' }).waitFor()
      await page.getByRole("link", { name: "Overview" }).click()
      await page.getByText("of 2 dials were answered by a person").waitFor()
      await inspect(tab, "overview")

      await page.getByRole("button", { name: "Sign out" }).click()
      await page.getByLabel("API key").waitFor()
      assert.notInclude(await page.content(), key)
    })
  )

  it.scoped("has an agent edited, tried by typing, and published", () =>
    journey(async (tab) => {
      const { api, page } = tab
      await signIn(tab, "/agents")
      await page.getByRole("link", { name: "Draft (unpublished)" }).click()
      await page.getByLabel("Name", { exact: true }).fill("Reminder <script>alert(1)</script>")
      await page.getByLabel("First message").fill("Hello {{name}}, it is about {{<i>topic</i>}}.")
      await page.getByRole("button", { name: "Add a question" }).click()
      await page.getByLabel("Name of the answer").fill("interested")
      await page.getByLabel("The question").fill("Is the callee interested?")
      await page.getByRole("button", { name: "Add a transfer" }).click()
      await page.getByLabel("Number to transfer to").fill("+14155550177")
      await page.getByLabel("Who answers there").fill("<i>Sales</i>, for orders")
      await page.getByText("Model, transcription and speech").click()
      await page.getByLabel("Temperature").fill("0.3")
      await page.getByLabel("Words that the transcription").fill("Acme")
      await page.getByText("Silence, length and interruptions").click()
      await page.getByLabel("said alone, do not interrupt").uncheck()
      await page.getByLabel("Words that do not interrupt").fill("yes\nhm\n")
      const trial = page.getByRole("region", { name: "Try it" })
      await trial.getByLabel("name", { exact: true }).fill("Ada")
      await trial.getByLabel("<i>topic</i>").fill("<b>Friday</b>")
      await trial.getByRole("button", { name: "Begin a conversation" }).click()
      await trial.getByText("Hello Ada, it is about <b>Friday</b>.").waitFor()
      await trial.getByLabel("You say").fill("Yes, go on.")
      await page.keyboard.press("Enter")
      await trial.getByRole("listitem").nth(2).waitFor()
      await inspect(tab, "agent")
      await trial.getByRole("button", { name: "Hang up" }).click()
      await trial.getByText("The conversation is over.").waitFor()

      await page.getByRole("button", { name: "Publish", exact: true }).click()
      await page.getByText("Published, version 1").waitFor()
      await page.getByLabel("Prompt").fill("Ask {{name}} whether Friday suits.")
      await page.getByRole("button", { name: "Save the draft" }).click()
      await page.getByText("Unpublished changes").waitFor()
      await page.getByText("Version 1,").click()
      await page.locator("ins").getByText("Ask {{name}} whether Friday suits.").waitFor()
      await inspect(tab, "agent-versions")
      const [agent] = (await api.agents.list({ published: true })).data
      assert.deepInclude(agent, {
        name: "Reminder <script>alert(1)</script>",
        version: 1,
        model: { name: null, temperature: 0.3 },
        transfers: [{ to_number: "+14155550177", description: "<i>Sales</i>, for orders" }],
        backchannels: ["yes", "hm"],
        transcription: { provider: null, model: null, hints: "Acme" }
      })
      await page.getByRole("link", { name: "Agents" }).click()
      await page.getByRole("cell", { name: "Unpublished changes" }).waitFor()
      await inspect(tab, "agents")
    })
  )

  it.scoped("has a suite generated, edited, run and read, and two runs compared", () => journey(tests))

  it.scoped("has a suite made by hand, its run cancelled, and the suite removed", () => journey(testsByHand))

  it.scoped("has a number found, added, given a label and released", () => journey(numbers))

  it.scoped("has numbers put on the do-not-call list, found and taken off", () => journey(doNotCall))

  it.scoped("has a message template written beside its preview, reviewed and removed", () =>
    journey(messages)
  )

  it.scoped("sees a webhook fail, and has its event sent again once the receiver is mended", () => webhooks)

  it.scoped("changes the workspace, reads what was used, and makes and revokes a key", () =>
    journey(settings)
  )

  it.scoped(
    "has a messy list corrected, and its campaign simulated, run and exported",
    () => journey(campaignJourney),
    120_000
  )

  it.scoped("lists 100,000 calls page by page, and filters them, by one request and 50 rows each", () =>
    Effect.gen(function* () {
      const { file } = yield* Stand
      yield* journey((tab) => manyCalls(tab, file))
    })
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
