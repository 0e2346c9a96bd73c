import { assert } from "@effect/vitest"
import { inspect, signIn, type Tab } from "./Stand.ts"

/** A campaign that sends the template, from its first step to its end. */
const aCampaignOf = async (tab: Tab) => {
  const { api, page } = tab
  const { id } = await api.agents.create({
    name: "Answers messages",
    prompt: "Answer briefly.",
    channel: "msg"
  })
  await api.agents.publish(id)
  await page.getByRole("link", { name: "Campaigns" }).click()
  await page.getByRole("link", { name: "New campaign" }).first().click()
  await page.getByLabel("What it does").selectOption("msg")
  await page.getByLabel("Name of the campaign").fill("Letters")
  await page.getByLabel("Send from").selectOption("+14155550100, Demo")
  await page.getByLabel("{{1}} in the body").fill("name")
  await page.getByLabel("{{2}} in the body").fill("day")
  await page.getByLabel("End of the address of Another day").fill("code")
  await inspect(tab, "campaign-new-messages")
  await page.getByRole("button", { name: "Save and add recipients" }).click()
  await page.getByLabel("A file with the recipients").setInputFiles({
    name: "letters.csv",
    mimeType: "text/csv",
    buffer: Buffer.from("phone_number,name,day,code\n+14155553001,Ada,Friday,a-1\n")
  })
  await page.getByRole("link", { name: "Go on with 1 recipient" }).click()
  await page.getByRole("button", { name: "Save and go on" }).click()
  await page.getByRole("button", { name: "Start writing to 1 recipient now" }).click()
  await page.locator("header").getByText("Completed").waitFor()
}

/** A template is written beside its preview, refused, mended, reviewed, made anew and removed. */
export const messages = async (tab: Tab) => {
  const { api, page } = tab
  await signIn(tab, "/messages")
  await page.getByText("No templates yet").waitFor()
  await page.getByRole("link", { name: "New template" }).first().click()
  await page.getByLabel("Name", { exact: true }).fill("reject_friday")
  await page.getByLabel("Header").selectOption("text")
  await page.getByLabel("Text of the header").fill("<b>Your</b> appointment")
  await page
    .getByLabel("Body", { exact: true })
    .fill("Hello {{1}}, we expect you on {{2}}.\nDoes {{2}} suit you, {{1}}")
  await page.getByLabel("Example of {{1}} in the body").fill("Ada <script>alert(1)</script>")
  await page.getByLabel("Example of {{2}} in the body").fill("Friday")
  await page.getByLabel("Footer").fill("The practice")
  await page.getByRole("button", { name: "Add a button" }).click()
  await page.getByLabel("Text of the button").fill("Another day")
  await page.getByLabel("What it does").selectOption("url")
  await page.getByLabel("Address it opens").fill("https://example.com/{{1}}")
  await page.getByLabel("Example of the whole address").fill("https://example.com/a-1017")
  const preview = page.getByRole("figure", { name: "Preview of the message" })
  await preview.getByText("Hello Ada <script>alert(1)</script>, we expect you on Friday.").waitFor()
  await preview.getByText("<b>Your</b> appointment").waitFor()
  await preview.getByText("https://example.com/a-1017").waitFor()
  await page.getByRole("button", { name: "Submit for review" }).click()
  await page.getByText("See its body: components.1.text must not begin or end with a placeholder").waitFor()
  await inspect(tab, "template-new")
  await page
    .getByLabel("Body", { exact: true })
    .fill("Hello {{1}}, we expect you on {{2}}.\nDoes {{2}} suit you, {{1}}?")
  await page.getByRole("button", { name: "Submit for review" }).click()
  await page.getByText("the name begins with reject_", { exact: true }).waitFor()
  await preview.getByText("Hello Ada <script>alert(1)</script>, we expect you on Friday.").waitFor()
  await inspect(tab, "template")

  await page.getByRole("link", { name: "Make another from it" }).click()
  await page.getByLabel("Name", { exact: true }).fill("friday")
  await preview.getByText("Does Friday suit you").waitFor()
  await page.getByRole("button", { name: "Submit for review" }).click()
  await page.getByText("friday was submitted. Review: Approved.").waitFor()
  const [second, first] = (await api.messageTemplates.list()).data
  assert.deepStrictEqual(second!.components, first!.components)
  await aCampaignOf(tab)
  await page.getByRole("link", { name: "Messages", exact: true }).click()
  await page.getByRole("row", { name: "reject_friday" }).getByText("Rejected").waitFor()
  await inspect(tab, "messages")
  await page.getByLabel("Review").selectOption("approved")
  await page.getByRole("row", { name: "reject_friday" }).waitFor({ state: "detached" })
  await page.getByRole("link", { name: "friday" }).click()
  await page.getByRole("button", { name: "Remove" }).click()
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click()
  await page.getByText("The template was removed.").waitFor()
  assert.strictEqual((await api.messageTemplates.list()).pagination.total, 1)
}
