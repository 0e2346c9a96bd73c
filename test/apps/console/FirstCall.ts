import { assert } from "@effect/vitest"
import { inspect, key, signIn, type Tab } from "./Stand.ts"

/** From the sign-in and an empty workspace to the first call, its page, the list and the overview. */
export const firstCall = async (tab: Tab) => {
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
  await page.getByLabel("Agent").selectOption("Appointment reminder")
  await page.getByLabel("Call from").selectOption("+14155550100, Demo")
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
  await page.getByLabel("Status").selectOption("cancelled")
  await page.getByText("No calls pass these filters").waitFor()
  assert.include(page.url(), "status=cancelled")

  await page.getByRole("button", { name: "Clear" }).click()
  await page.getByLabel("Number ends in").fill("0001")
  const agent = (await api.agents.list({ published: true })).data.at(-1)
  await api.calls.place({
    agent_id: agent!.id,
    to_number: "+14155550001",
    callee_name: "Placed elsewhere",
    metadata: { "<b>note</b>": "<script>alert(1)</script>" }
  })
  await page.getByRole("row", { name: "Placed elsewhere" }).getByText("Failed").waitFor()
  await page.keyboard.press("Enter")
  await page.getByRole("link", { name: "Ada" }).waitFor({ state: "detached" })
  await page.getByRole("link", { name: "Placed elsewhere" }).click()
  await page.getByText("The call's record").click()
  await page.locator("pre", { hasText: '"<b>note</b>": "<script>alert(1)</script>"' }).waitFor()
  await page.getByRole("link", { name: "Overview" }).click()
  await page.getByText("of 2 dials were answered by a person").waitFor()
  await inspect(tab, "overview")

  await page.getByRole("link", { name: "Campaigns" }).click()
  await page.getByText("No campaigns yet").waitFor()
  await inspect(tab, "campaigns-empty")

  await page.getByRole("button", { name: "Sign out" }).click()
  await page.getByLabel("API key").waitFor()
  assert.notInclude(await page.content(), key)
}
