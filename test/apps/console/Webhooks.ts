import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { receiver } from "./Receiver.ts"
import { inspect, journey, signIn } from "./Stand.ts"

const hostile = "<img src=x onerror=alert(1)>"

export const webhooks = Effect.gen(function* () {
  const { answers, url } = yield* receiver
  answers(500, hostile)
  yield* journey(async (tab) => {
    const { page } = tab
    await signIn(tab, "/webhooks")
    await page.getByRole("link", { name: "New webhook" }).first().click()
    await page.getByLabel("Address").fill(`${url}?${hostile}`)
    await page.getByLabel("Message moved on").check()
    await inspect(tab, "webhook-new")
    await page.getByRole("button", { name: "Add the webhook" }).click()
    const secret = (await page.locator(".once code").textContent())!
    assert.match(secret, /^whsec_/)
    await inspect(tab, "webhook-secret")
    await page.getByRole("button", { name: "I have kept it" }).click()

    await page.getByText("Nothing was sent to it yet").waitFor()
    assert.notInclude(await page.content(), secret)
    const address = page.url()
    await page.getByRole("button", { name: "Send a test event" }).click()
    await page.getByText("Failing").waitFor()
    await page.getByRole("heading", { name: "Answered 500" }).waitFor()
    await page.getByText(hostile, { exact: true }).waitFor()
    await page.locator("pre", { hasText: hostile }).first().waitFor()
    await inspect(tab, "delivery")

    await page.route("**/v0/carriers", (route) =>
      route.fulfill({ json: { data: [{ channel: "voice", status: "down" }] } })
    )
    await page.getByRole("link", { name: "Overview" }).click()
    await page.getByText("Calls wait: the carrier does not answer.").waitFor()
    await page.getByText(`The webhook ${url}?${hostile} fails: 1 of its newest 1 events`).waitFor()
    await inspect(tab, "overview-attention")
    await page
      .getByRole("listitem")
      .filter({ hasText: hostile })
      .getByRole("link", { name: "See to it" })
      .click()
    await page.waitForURL(address)
    await page.getByRole("cell", { name: "Failing" }).waitFor()
    await page.getByRole("button", { name: "Disable" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Disable" }).click()
    await page.getByRole("cell", { name: "Dead" }).waitFor()
    answers(200, "taken")
    await page.getByRole("button", { name: "Enable" }).click()
    await page.getByText("Send all since a time again").click()
    await inspect(tab, "webhook")
    await page.getByRole("button", { name: "Send them again" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Send them again" }).click()
    await page.getByText("1 event on the way again.").waitFor()
    await page.getByRole("cell", { name: "Delivered" }).waitFor()

    await page.getByRole("link", { name: "Webhook test" }).click()
    await page.getByText("taken", { exact: true }).waitFor()
    answers(200, "taken twice")
    await page.getByRole("button", { name: "Send it again" }).click()
    await page.getByText("taken twice", { exact: true }).waitFor()

    await page.goto(address)
    await page.getByText("Change the address, the events or the secret").click()
    await page.getByLabel("Campaign paused").check()
    await page.getByRole("button", { name: "Save the change" }).click()
    await page.getByText("Message moved on, Campaign paused").waitFor()
    await page.getByRole("button", { name: "Rotate the secret" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Rotate the secret" }).click()
    assert.notStrictEqual(await page.locator(".once code").textContent(), secret)
    await page.getByRole("button", { name: "Remove" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click()
    await page.getByRole("heading", { name: "Webhooks", exact: true }).waitFor()
    await page.getByRole("link", { name: "/health/live" }).waitFor()
    await inspect(tab, "webhooks")
  })
})
