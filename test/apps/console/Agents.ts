import { assert } from "@effect/vitest"
import { inspect, signIn, type Tab } from "./Stand.ts"

const prompt = "Ask {{name}} whether <img src=x onerror=alert(1)> Friday suits."

/** An agent is edited, tried by typing, and published. */
export const agents = async (tab: Tab) => {
  const { api, page } = tab
  await signIn(tab, "/agents")
  await page.getByRole("link", { name: "Draft (unpublished)" }).click()
  await page.getByLabel("Name", { exact: true }).fill("Reminder <script>alert(1)</script>")
  await page.getByLabel("First message").fill("Hello {{name}}, it is about {{<i>topic</i>}}.{{constructor}}")
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
  await page.getByLabel("Prompt").fill(prompt)
  await page.getByRole("button", { name: "Save the draft" }).click()
  await page.getByText("Unpublished changes").waitFor()
  await page.getByText("Version 1,").click()
  await page.locator("ins").getByText(prompt).waitFor()
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
}
