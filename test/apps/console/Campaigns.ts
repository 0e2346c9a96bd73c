import { readFileSync } from "node:fs"
import { assert } from "@effect/vitest"
import { inspect, signIn, type Tab } from "./Stand.ts"

const hostile = `<img src=x onerror="alert(1)">`

const people = Array.from({ length: 24 }, (_, i) => `+1415555${2000 + i},Person ${i},Friday`)

/** Rows that are refused for one reason each, hostile cells, and a number that comes twice. */
const messy = [
  "phone_number,name,<b>day</b>",
  ...people,
  `call me,${hostile},=cmd()`,
  `4155552101,"Eve, ""the"" second",Monday`,
  `${people[0]}`,
  `+14155552102,${hostile},<script>alert(2)</script>`
].join("\r\n")

/** Good rows, the last of which is taken out of the campaign again. */
const list = [
  "phone_number,name,<b>day</b>",
  ...people,
  `+14155552101,"Eve, ""the"" second",Monday`,
  `+14155552102,${hostile},<script>alert(2)</script>`,
  "+14155552103,Ada,Monday"
].join("\r\n")

/** Has campaigns simulated a few times only: as often as the page asks for, that computes for ten seconds. */
const fewSeeds = ({ page }: Tab) =>
  page.route(/\/simulations$/, (route) =>
    route.continue({ postData: { ...route.request().postDataJSON(), seeds: 4 } })
  )

/** A messy list is corrected and sent again, and its campaign simulated. */
export const campaign = async (tab: Tab) => {
  const { api, page } = tab
  await signIn(tab, "/campaigns")
  await page.getByRole("link", { name: "New campaign" }).first().click()
  await page.getByLabel("Name of the campaign").fill(`Spring ${hostile}`)
  await page.getByLabel("Agent").selectOption("Appointment reminder")
  await page.getByLabel("Call from").selectOption("+14155550100, Demo")
  await page.getByLabel("Hours hold in each recipient's local time").check()
  await page.getByLabel("Not on public holidays").check()
  await page.reload()
  assert.strictEqual(await page.getByLabel("Name of the campaign").inputValue(), `Spring ${hostile}`)
  await inspect(tab, "campaign-new")
  await page.getByRole("button", { name: "Save and add recipients" }).click()

  await page
    .getByLabel("A file with the recipients")
    .setInputFiles({ name: "people.csv", mimeType: "text/csv", buffer: Buffer.from(messy) })
  await page.getByText("25 recipients added.").waitFor()
  await page.getByText("Numbers that the list or the campaign has already: 1").waitFor()
  await page.getByText(`name: ${hostile}`).waitFor()
  await page.getByLabel("phone_number of row 26").fill("+14155552103")
  await inspect(tab, "campaign-recipients")
  const reasons = page.waitForEvent("download")
  await page.getByRole("button", { name: "Save the reasons as CSV" }).click()
  assert.include(readFileSync(await (await reasons).path(), "utf8"), "row,error,value")
  const rows = page.waitForEvent("download")
  await page.getByRole("button", { name: "Save these rows as CSV" }).click()
  assert.strictEqual(
    readFileSync(await (await rows).path(), "utf8"),
    `phone_number,name,<b>day</b>\r\n+14155552103,"${hostile.replaceAll('"', '""')}",=cmd()\r\n` +
      `4155552101,"Eve, ""the"" second",Monday\r\n`
  )
  await page.getByRole("button", { name: "Send 1 corrected row again" }).click()
  await page.getByText("1 recipient added.").waitFor()
  await page.getByLabel("Country code for the numbers that have none: 1").fill("+1")
  await page.getByRole("button", { name: "Put it in front" }).click()
  await page.getByRole("button", { name: "Send 1 corrected row again" }).click()
  await page.getByText("No row was refused.").waitFor()
  await page.getByRole("link", { name: "Go on with 27 recipients" }).click()

  await page.getByLabel("Calls at one time").fill("2")
  await page.getByLabel("From", { exact: true }).fill("08:30")
  await page.getByLabel("Further tries").fill("1")
  await inspect(tab, "campaign-pace")
  await fewSeeds(tab)
  await page.getByRole("button", { name: "Save and simulate" }).click()
  await page.getByText("People reached", { exact: true }).waitFor()
  await page.locator("[data-drawn=true]").waitFor()
  await inspect(tab, "campaign-simulated")
  await page.getByRole("link", { name: "Go on" }).click()
  await page.getByText("08:30 to 18:00, where each recipient is").waitFor()
  await inspect(tab, "campaign-start")
  assert.deepInclude(
    (await api.campaigns.list()).data.find(({ name }) => name === `Spring ${hostile}`),
    {
      recipient_timezone: "by_number",
      skip_public_holidays: true
    }
  )
}

/** A campaign is started, watched, paused, simulated to its end, changed, resumed and exported. */
export const running = async (tab: Tab) => {
  const { api, origin, page } = tab
  const agent = (await api.agents.list({ published: true })).data.at(-1)!
  const { id } = await api.campaigns.create({
    name: `Summer ${hostile}`,
    agent_id: agent.id,
    from_phone_number_id: (await api.phoneNumbers.list()).data.at(-1)!.id,
    calls_per_minute: 6
  })
  await api.recipients.import(id, new File([list], "people.csv", { type: "text/csv" }))
  await signIn(tab, `/campaigns/${id}/setup?step=start`)
  await page.getByRole("button", { name: "Start calling 27 recipients now" }).click()

  await page.getByRole("button", { name: "Pause" }).click()
  await page.getByText("A user paused it.").waitFor()
  await fewSeeds(tab)
  await page.getByRole("button", { name: "Simulate the rest" }).click()
  await page.getByText("People reached", { exact: true }).waitFor()
  await page.getByLabel("Calls at one time").fill("30")
  await page.getByLabel("Calls a minute").fill("")
  await page.getByRole("button", { name: "Change the pace" }).click()
  await page.getByText("Pace as set").waitFor()
  await page.locator(".plot[data-drawn=true]").first().waitFor()
  await inspect(tab, "campaign-paused")
  await page.getByRole("link", { name: "Recipients", exact: true }).click()
  await page.getByRole("link", { name: /2101$/ }).click()
  await page.getByLabel("Variables, as JSON").fill(`{"name":"<i>Eva</i>"}`)
  await page.getByRole("button", { name: "Change the recipient" }).click()
  await page.getByText("The recipient was changed.").waitFor()
  await page.getByRole("link", { name: "All recipients of the campaign" }).click()
  await page.getByText("name <i>Eva</i>").waitFor()
  await page.getByRole("link", { name: /2103$/ }).click()
  await page.getByRole("button", { name: "Remove" }).click()
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click()
  await page.getByText("1 to 26 of 26").waitFor()
  await page.getByRole("button", { name: "Resume" }).click()
  await page.locator("header").getByText("Completed").waitFor()
  await page.getByLabel("Whole number").fill("+14155552102")
  await page.keyboard.press("Enter")
  await page.getByText("1 to 1 of 1").waitFor()
  await page.getByText("<script>alert(2)</script>").waitFor()
  await page.getByRole("button", { name: "Clear" }).click()
  await page.getByText("1 to 26 of 26").waitFor()
  await page.getByLabel("Answer").fill("<b>none</b>=given")
  await page.keyboard.press("Enter")
  await page.getByText("No recipients pass these filters").waitFor()
  await page.getByRole("button", { name: "Clear" }).click()
  await page.getByText("1 to 26 of 26").waitFor()
  await inspect(tab, "campaign-recipient-list")
  await page.getByRole("link", { name: /2102$/ }).click()
  await page.getByRole("cell", { name: "Answered" }).waitFor()
  await inspect(tab, "campaign-recipient")
  await page.getByRole("link", { name: "All recipients of the campaign" }).click()
  await page.getByRole("link", { name: "Attempts" }).click()
  await page.getByText("1 to 26 of 26").waitFor()
  await inspect(tab, "campaign-attempts")
  await page.getByRole("link", { name: "Lists sent in" }).click()
  await page.getByText("people.csv").first().waitFor()
  await inspect(tab, "campaign-lists")
  await page.getByRole("link", { name: "Progress" }).click()
  await page.locator(".plot[data-drawn=true]").first().waitFor()
  await inspect(tab, "campaign-completed")

  const results = page.waitForEvent("download")
  await page.getByRole("button", { name: "Export the results" }).click()
  const text = readFileSync(await (await results).path(), "utf8")
  assert.strictEqual(text.trim().split("\r\n").length, 27)
  await page.goto(`${origin}/console/campaigns`)
  await page
    .getByRole("row", { name: `Summer ${hostile}` })
    .getByText("Completed")
    .waitFor()
  await inspect(tab, "campaigns")
}
