import { assert } from "@effect/vitest"
import { inspect, signIn, type Tab } from "./Stand.ts"

/** A number is browsed for, added, given a label and released. */
export const numbers = async (tab: Tab) => {
  const { api, page } = tab
  await signIn(tab, "/numbers")
  await page.getByRole("link", { name: "Available" }).click()
  await page.getByLabel("Country").selectOption("FR")
  await page.getByRole("cell", { name: "France" }).first().waitFor()
  await page.getByLabel("Contains").fill("+331430")
  await page.keyboard.press("Enter")
  await page.waitForURL(/country=FR&digits=%2B331430/)
  await page.getByRole("cell", { name: "Île-de-France" }).first().waitFor()
  await inspect(tab, "numbers-available")
  const add = page.getByRole("button", { name: /^Add \+331430/ }).first()
  const number = (await add.textContent())!.slice("Add ".length)
  await add.click()
  await page.getByRole("row", { name: number }).getByText("Yours").waitFor()
  await page.getByText(`${number} was added.`).waitFor()
  await page.reload()
  await page.getByRole("row", { name: number }).getByText("Yours").waitFor()
  await page.getByLabel("Contains").fill("five")
  await page.keyboard.press("Enter")
  await page.getByText("search must be at most 15 digits").waitFor()

  await page.getByRole("link", { name: "Own" }).click()
  await page.getByRole("button", { name: `Change the label of ${number}` }).click()
  await page.getByLabel(`Label of ${number}`).fill("Desk <b onclick=alert(1)>1</b>")
  await page.keyboard.press("Enter")
  await page.getByRole("cell", { name: "Desk <b onclick=alert(1)>1</b>" }).waitFor()
  await inspect(tab, "numbers")
  await page.getByRole("link", { name: "Add a number" }).click()
  await page.getByLabel("Number").fill("014 155")
  await page.getByRole("button", { name: "Add the number" }).click()
  await page.getByText("number must be an E.164 number").waitFor()
  await inspect(tab, "number-new")
  await page.getByLabel("Number").fill(number)
  await page.getByRole("button", { name: "Add the number" }).click()
  await page.getByText("has this phone number already").waitFor()
  await page.getByRole("link", { name: "Back to numbers" }).click()

  await page.getByRole("button", { name: `Release ${number}` }).click()
  await page.getByRole("dialog").getByRole("button", { name: "Keep it" }).click()
  await page.getByRole("button", { name: `Release ${number}` }).click()
  await page.getByRole("dialog").getByRole("button", { name: "Release" }).click()
  await page.getByText(`${number} was released.`).waitFor()
  await page.getByRole("row", { name: number }).waitFor({ state: "detached" })
  assert.notInclude((await api.phoneNumbers.list()).data.map((each) => each.number).join(), number)
}

/** Numbers are put on the do-not-call list, by hand and by a file, found there, and taken off again. */
export const doNotCall = async (tab: Tab) => {
  const { api, page } = tab
  await signIn(tab, "/numbers/do-not-call")
  await page.getByText("The list is empty").waitFor()
  await page.getByRole("link", { name: "Add numbers" }).first().click()
  await page.getByLabel("Numbers, one a line").fill("+1 (415) 555-0190\ndesk")
  await page.getByRole("button", { name: "Add the numbers" }).click()
  await page.getByText("No number was added. See desk:").waitFor()
  await page.getByLabel("Or a file").setInputFiles({
    name: "blocked.csv",
    mimeType: "text/csv",
    buffer: Buffer.from('phone,why\n+14155550191,asked\n"<img src=x onerror=alert(1)>",\n')
  })
  await page.getByRole("button", { name: "Import the file" }).click()
  await page.getByText("1 number of 2 rows came onto the list; 0 were on it.").waitFor()
  await page.getByRole("cell", { name: "<img src=x onerror=alert(1)>" }).waitFor()
  await inspect(tab, "do-not-call-new")
  await page.getByLabel("Numbers, one a line").fill("+1 (415) 555-0190\n")
  await page.getByRole("button", { name: "Add the numbers" }).click()
  await page.getByText("1 number came onto the do-not-call list.").waitFor()

  const many = Array.from({ length: 60 }, (_, i) => `+141555502${String(i).padStart(2, "0")}`)
  await api.doNotCall.add({ phone_numbers: many })
  await page.reload()
  await page.getByText("1 to 50 of 62").waitFor()
  await page.getByRole("link", { name: "Older" }).click()
  await page.getByText("51 to 62 of 62").waitFor()
  await page.getByRole("cell", { name: "+14155550191", exact: true }).waitFor()
  await inspect(tab, "do-not-call")
  await page.getByRole("searchbox", { name: "Number" }).fill("+1 415 555 0190")
  await page.keyboard.press("Enter")
  await page.getByText("1 to 1 of 1").waitFor()
  await page.getByRole("button", { name: "Take off +14155550190" }).click()
  await page.getByRole("dialog").getByRole("button", { name: "Take off" }).click()
  await page.getByText("No numbers pass these filters").waitFor()
  assert.strictEqual((await api.doNotCall.list()).pagination.total, 61)
}
