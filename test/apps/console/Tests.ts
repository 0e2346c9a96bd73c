import { assert } from "@effect/vitest"
import { inspect, signIn, type Tab } from "./Stand.ts"

const hostile = "In a hurry <img src=x onerror=alert(1)>"

/** A suite is generated, edited, run, read, run again and compared. */
export const tests = async (tab: Tab) => {
  const { api, page } = tab
  const agent = (await api.agents.list({ published: true })).data.at(-1)!
  await signIn(tab, "/tests")
  await page.getByText("No suites yet").waitFor()
  await page.getByRole("link", { name: "New suite" }).first().click()
  await page.getByLabel("Agent to be tested").selectOption(agent.id)
  await page.getByLabel("Scenarios", { exact: true }).fill("3")
  await page.getByLabel("Tool use").uncheck()
  await page.getByLabel("Other judges, one a line").fill("politeness <b>always</b>\n")
  await inspect(tab, "suite-new")
  await page.getByRole("button", { name: "Generate the suite" }).click()
  await page.getByRole("heading", { name: `${agent.name} — generated` }).waitFor()
  const [suite] = (await api.agentTestSuites.list()).data
  assert.lengthOf(suite!.scenarios, 3)
  assert.include(suite!.config.judges, "politeness <b>always</b>")

  await page.getByText(suite!.scenarios[0]!.label).click()
  await page.getByLabel("Label", { exact: true }).fill(hostile)
  await page.getByLabel("How the persona behaves").fill("<script>alert(2)</script> You agree and hang up.")
  await page.getByLabel("Times it is played").fill("2")
  await page.getByLabel("Turns at most").fill("6")
  await page.getByLabel("company", { exact: true }).fill("<i>Acme</i>")
  await inspect(tab, "suite")
  await page.getByRole("button", { name: "Run", exact: true }).click()
  await page.getByRole("heading", { name: /^Run of/ }).waitFor()
  await page.getByText("Completed", { exact: true }).waitFor()
  assert.strictEqual((await api.agentTestSuites.get(suite!.id)).scenarios[0]!.label, hostile)
  await page.getByRole("columnheader", { name: "Politeness <b>always</b>" }).waitFor()
  await page.getByRole("link", { name: hostile }).click()
  await page.getByRole("heading", { name: hostile }).waitFor()
  await page
    .getByRole("navigation", { name: "Plays of the scenario" })
    .getByRole("link", { name: "2" })
    .click()
  await page.waitForURL(/play=2/)
  await page.locator(".turn.callee").first().waitFor()
  await page.locator(".turn.agent").first().getByText("<i>Acme</i>").waitFor()
  await inspect(tab, "run")
  await page.reload()
  await page.getByRole("heading", { name: hostile }).waitFor()
  await page.locator(".turn.callee").first().waitFor()

  await page.getByRole("button", { name: "Run it again" }).click()
  await page.getByLabel("Compare with another run of the suite").waitFor()
  await page.getByLabel("Compare with another run of the suite").selectOption({ index: 1 })
  await page.waitForURL(/compare\?left=run_.*&right=run_/)
  await page.getByRole("heading", { name: "After:" }).waitFor()
  await page.getByRole("link", { name: hostile }).click()
  await page.getByRole("region", { name: "After", exact: true }).locator(".turn").first().waitFor()
  await inspect(tab, "runs-compared")
  await page.goto(`${tab.origin}/console/tests/runs/run_none`)
  await page.getByRole("alert").getByText("no such test run").waitFor()
}

const aRun = /agent-test-runs\/run_\w+$/

/**
 * Shows a run as under way until it is cancelled: by the built-in rules it is over before it can be looked at. `held`
 * keeps a reading unanswered for ten seconds, and answers how often the run was read meanwhile.
 */
const showUnderWay = async ({ page }: Tab) => {
  let status = "running"
  let wait = Promise.resolve()
  await page.route(aRun, async (route) => {
    const mine = wait
    const run = await (await route.fetch()).json()
    await mine
    await route.fulfill({ json: { ...run, status, counts: { ...run.counts, passed: 0, failed: 0 } } })
  })
  await page.route(/agent-test-runs\/run_\w+\/cancel$/, async (route) => {
    status = "cancelled"
    await route.fulfill({ json: {} })
  })
  return async () => {
    let release = () => {}
    wait = new Promise((resolve) => {
      release = resolve
    })
    let asked = 0
    page.on("request", (request) => {
      if (aRun.test(request.url())) asked += 1
    })
    await page.waitForRequest(aRun)
    await page.clock.runFor(10_000)
    wait = Promise.resolve()
    release()
    return asked
  }
}

/** A suite is made by hand, its run is cancelled while it goes on, and it is removed. */
export const testsByHand = async (tab: Tab) => {
  const { page } = tab
  await page.clock.install()
  await signIn(tab, "/tests")
  await page.getByRole("link", { name: "New suite" }).first().click()
  await page.getByRole("link", { name: "Write them by hand" }).click()
  await page.getByLabel("Name").fill("By hand")
  await page.getByRole("button", { name: "Make the suite" }).click()
  await page.getByRole("button", { name: "Add a scenario" }).click()
  await page.getByLabel("Label", { exact: true }).fill("Long-winded")
  await page.getByLabel("How the persona behaves").fill("You ask one question after another.")
  const held = await showUnderWay(tab)
  await page.getByRole("button", { name: "Run", exact: true }).click()
  await page.getByRole("progressbar", { name: "Plays that are over" }).waitFor()
  assert.strictEqual(await held(), 1)
  await page.getByRole("button", { name: "Cancel the run" }).click()
  await page.getByRole("dialog").getByRole("button", { name: "Cancel the run" }).click()
  await page.getByText("Cancelled", { exact: true }).waitFor()
  await page.getByRole("link", { name: "The suite" }).click()
  await page.getByRole("button", { name: "Remove", exact: true }).click()
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click()
  await page.getByText("The suite was removed.").waitFor()
  await inspect(tab, "suites")
  await page.getByRole("link", { name: "Runs" }).click()
  await page.getByLabel("Status").selectOption("completed")
  await page.getByText(/^1 to \d of \d$/).waitFor()
  await inspect(tab, "runs")
}
