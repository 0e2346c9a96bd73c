import process from "node:process"
import sparticuz from "@sparticuz/chromium"
import { Effect } from "effect"
import { chromium } from "playwright-core"

/** The browser that comes with a package, which is made for Linux alone; elsewhere a Chrome that is installed. */
const launch = async () => {
  if (process.platform !== "linux") return chromium.launch({ channel: "chrome" })
  const args = ["--no-sandbox", "--no-zygote", "--disable-dev-shm-usage", "--disable-gpu", "--mute-audio"]
  return chromium.launch({ executablePath: await sparticuz.executablePath(), args })
}

/** A browser without a window, for as long as the scope lasts. */
export const browser = Effect.acquireRelease(Effect.promise(launch), (browser) =>
  Effect.promise(() => browser.close())
)
