import { assert } from "@effect/vitest"
import { createClient } from "../../../apps/client/main.ts"
import { inspect, signIn, type Tab } from "./Stand.ts"

const hostile = "<script>alert(1)</script>"

export const settings = async (tab: Tab) => {
  const { api, origin, page } = tab
  await signIn(tab, "/settings")
  await page.getByLabel("Name", { exact: true }).fill(hostile)
  await page.getByLabel("Countries that may be called").fill("us ca, XX")
  await page.getByText("United States, Canada, XX is no country").waitFor()
  await page.getByRole("button", { name: "Save the settings" }).click()
  await page.getByText("It was not saved.").waitFor()
  await page.getByLabel("Countries that may be called").fill("us ca")
  await page.getByLabel("Recordings", { exact: true }).fill("30")
  await page.getByLabel("Metadata keys that calls are found by").fill("order\nb <img src=x>\n")
  await page.getByRole("button", { name: "Save the settings" }).click()
  await page.getByText("The settings are saved.").waitFor()
  await page.getByRole("button", { name: "Show it" }).click()
  await page.getByText((await api.workspace.toolSecret()).secret).waitFor()
  await inspect(tab, "settings")
  assert.deepInclude(await api.workspace.get(), {
    name: hostile,
    allowed_countries: ["US", "CA"],
    indexed_metadata_keys: ["order", "b <img src=x>"],
    recording_retention_days: 30,
    transcript_retention_days: null
  })
  await api.workspace.update({ allowed_countries: [] })
  const agent = (await api.agents.list({ published: true })).data.at(-1)!
  const busy = { agent_id: agent.id, to_number: "+14155550001" }
  await api.calls.place({ ...busy, callee_name: "Of order 17", metadata: { order: "17" } })
  await api.calls.place({ ...busy, callee_name: "Of order 18", metadata: { order: "18" } })
  await page.getByRole("link", { name: "Calls", exact: true }).click()
  await page.getByText("a whole value of any of order, b <img src=x>").waitFor()
  for (const typed of ["17", "order=17"]) {
    await page.getByLabel("Metadata").fill(typed)
    await page.keyboard.press("Enter")
    await page.getByText("1 to 1 of 1").waitFor()
    await page.getByRole("link", { name: "Of order 17" }).waitFor()
    await page.getByRole("button", { name: "Clear" }).click()
    await page.getByRole("link", { name: "Of order 18" }).waitFor()
  }
  await page.getByRole("link", { name: "Name other keys in Settings" }).click()
  await page.getByRole("heading", { name: "Workspace" }).waitFor()

  await page.getByRole("link", { name: "Credits" }).click()
  await page.getByLabel("What for").selectOption("top_up")
  await page.getByRole("cell", { name: "+1,000" }).waitFor()
  assert.include(page.url(), "kind=top_up")
  await page.getByRole("button", { name: "Clear" }).click()
  await inspect(tab, "settings-credits")
  await page.getByRole("link", { name: "Usage" }).click()
  await page.getByRole("columnheader", { name: "Day" }).waitFor()
  await page.getByLabel("By", { exact: true }).selectOption("agent")
  await page.getByRole("link", { name: "Appointment reminder" }).waitFor()
  await inspect(tab, "settings-usage")

  await page.getByRole("link", { name: "API keys" }).click()
  await page.getByText("Signed in with it").waitFor()
  await page.getByRole("link", { name: "New API key" }).click()
  await page.getByLabel("Name", { exact: true }).fill(hostile)
  await page.getByLabel("See settings and usage (workspace:read)").check()
  await page.getByLabel("Expires").fill("2099-01-01T00:00")
  await inspect(tab, "settings-key-new")
  await page.getByRole("button", { name: "Make the key" }).click()
  const key = (await page.locator(".once code").textContent())!
  const another = createClient({ baseUrl: `${origin}/v0`, apiKey: key })
  assert.strictEqual((await another.workspace.get()).name, hostile)
  await page.getByRole("button", { name: "I have kept it" }).click()
  const row = page.getByRole("row", { name: hostile })
  await row.getByText("Good", { exact: true }).waitFor()
  assert.notInclude(await page.content(), key)
  await inspect(tab, "settings-keys")
  await row.getByRole("button", { name: "Change" }).click()
  await page.getByLabel(`Name of ${hostile}`).fill(`${hostile} 2`)
  await page.getByLabel("Expires").fill("")
  await inspect(tab, "settings-key")
  await page.getByRole("button", { name: "Save the key" }).click()
  await page.getByRole("row", { name: `${hostile} 2` }).waitFor()
  const made = (await api.apiKeys.list()).data.find(({ name }) => name === `${hostile} 2`)
  assert.strictEqual(made?.expires_at, null)
  await row.getByRole("button", { name: "Revoke" }).click()
  await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click()
  await row.getByText("Revoked", { exact: true }).waitFor()
  const refused = await another.workspace.get().catch((error: { status: number }) => error.status)
  assert.strictEqual(refused, 401)

  await page.getByRole("link", { name: "Audit log" }).click()
  await page.getByRole("cell", { name: "Revoke api key" }).waitFor()
  await page.getByLabel("What", { exact: true }).fill("updateWorkspace")
  await page.keyboard.press("Enter")
  await page.getByRole("cell", { name: "Revoke api key" }).waitFor({ state: "detached" })
  await page.getByRole("cell", { name: "Update workspace" }).first().waitFor()
  await inspect(tab, "settings-audit")
}
