import { execFile } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { accountSid, authToken, serve as serveTwilio } from "../../adapters/twilio/TwilioServer.ts"
import { asText, json, listen } from "../../Listener.ts"
import * as Processes from "../../programs/Processes.ts"
import * as Programs from "../../programs/Programs.ts"
import { until } from "../../Until.ts"

/** The pages about deploying it, in the order in which a newcomer meets them. */
const pages = [
  "README.md",
  "apps/server/recordings.md",
  "apps/server/campaigns.md",
  "apps/server/messages.md",
  "apps/server/test-agents.md",
  "apps/server/talking.md",
  "apps/server/reviews.md",
  "adapters/tools/README.md",
  "apps/cli/README.md"
]
const text = pages.map((page) => readFileSync(join(Programs.root, page), "utf8")).join("\n")

/** The one block of the pages in which this stands. */
const blockWith = (words: string): string => {
  const found = [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].filter(([, block]) => block!.includes(words))
  assert.lengthOf(found, 1, words)
  return found[0]![1]!
}

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "outdial-readme-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

/** What every command prints is kept, and so are those that fail. An id of a kind is the last that was printed. */
const shell = ({ outdial, server }: Programs.Programs, at: string) => `
SERVER=${server}
cd ${at}; touch printed failed
outdial() { node ${outdial} "$@" 2>&1 | tee -a printed; [ "\${PIPESTATUS[0]}" = 0 ] || echo "outdial $*" >> failed; }
curl() { command curl -f --show-error "$@" 2>&1 | tee -a printed; [ "\${PIPESTATUS[0]}" = 0 ] || echo "curl $*" >> failed; }
start() {
  node $SERVER > started 2>&1 & local server=$!
  for ((i = 0; i < 600; i++)); do grep -q "Listening on" started && break; sleep 0.1; done
  outdial doctor
  kill $server; wait $server; grep "Listening on" started || echo "npm start" >> failed
}
last() { grep -oE "$1_[0-9a-z]{26}" printed | tail -1; }
audio() { grep -oE 'http://[^"]*/audio[^"]*' printed | tail -1; }
`

const running = Effect.fnUntraced(function* (speed: number) {
  const at = yield* folder
  const programs = yield* Programs.programs
  const port = String(yield* Processes.freePort)
  const env = {
    PORT: port,
    OUTDIAL_URL: `http://127.0.0.1:${port}/v0`,
    OUTDIAL_DATABASE_URL: `sqlite:${join(at, "outdial.db")}`,
    OUTDIAL_SIMULATED_SPEED: String(speed),
    OUTDIAL_WEBHOOK_ALLOW_PRIVATE: "true"
  }
  const { output } = yield* Processes.scoped(programs.server, [], env, /Listening on/)
  const [key] = /od_live_\w+/.exec(output())!
  const [agent] = /agent_\w+/.exec(output())!
  const [workspace] = /ws_[0-9a-z]{26}/.exec(output())!

  /** Runs a block with what its reader would put in the place of each …; answers what it printed and what failed. */
  const run = (block: string, agentId: string = agent) =>
    Effect.promise(async () => {
      const text = block
        .replaceAll("npm run outdial --", "outdial")
        .replaceAll(/^npm start$/gm, "start")
        .replaceAll("http://127.0.0.1:8080", `http://127.0.0.1:${port}`)
        .replaceAll("od_live_…", key)
        .replaceAll("agent_…", agentId)
        .replaceAll(/"http[^"]*\/audio[^"]*"/g, '"$(audio)"')
        .replaceAll(/(ws|camp|sess|call|tmpl|suite)_…/g, "$(last $1)")
      const script = shell(programs, at) + text
      const variables = { ...process.env, ...env, KEY: key, OUTDIAL_API_KEY: key }
      const printed = await new Promise<string>((resolve) =>
        execFile("bash", ["-c", script], { env: variables }, (_, stdout, stderr) => resolve(stdout + stderr))
      )
      return { printed, failed: readFileSync(join(at, "failed"), "utf8") }
    })
  const asked = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${port}/v0${path}`, { headers: { "x-api-key": key } })
    return await response.text()
  }
  return { asked, at, run, workspace }
})

/** What the pages ask of Meta and of a cluster is not run here; for Twilio and a model there are stand-ins. */
describe.concurrent("the pages about deploying it", () => {
  it.scopedLive(
    "have no command that does not run: a call, its webhook and recording, campaigns, messages, suites, tenants",
    () =>
      Effect.gen(function* () {
        const { asked, at, run } = yield* running(4)
        const call = yield* run(blockWith('"to_number":"+14155550123","metadata":{"order":1}'))
        assert.include(call.printed, '"status":"queued"')
        const recorded = Effect.promise(async () => {
          const session = /sess_\w+/.exec(await asked("/calls"))?.[0]
          return session !== undefined && (await asked(`/sessions/${session}/recordings`)).includes("/audio?")
        })
        yield* until("the call is recorded", recorded)

        const [hook] = blockWith("/v0/webhooks -H").split("\nWEBHOOK_SECRET")
        assert.include((yield* run(hook!)).printed, "whsec_")

        const session = 'curl -s http://127.0.0.1:8080/v0/calls/$(last call) -H "X-API-KEY: $KEY"\n'
        yield* run(session + blockWith('/recordings" -H'))
        assert.strictEqual(readFileSync(join(at, "call.wav")).toString("latin1", 0, 4), "RIFF")

        // Without the window, which may be closed now, and retries, which take minutes; with a callee who stays on the
        // line in silence, so that the campaign is not over before it is paused.
        const campaign = blockWith("campaign create --name Spring")
          .replace("--window 09:00-20:00 --timezone America/New_York --retries 2", "")
          .replace("555-0123", "555-0006")
        assert.include((yield* run(campaign)).printed, "completed")

        const messages = yield* run(
          blockWith("campaign create --name Visits")
            .replace("/agents/agent_…", "/agents/$(last agent)")
            .replace("--agent agent_…", "--agent $(last agent)")
        )
        assert.include(messages.printed, '"approved"')

        yield* run(blockWith("suite generate"))
        assert.include(readFileSync(join(at, "report.xml"), "utf8"), "<testsuite")

        const { failed } = yield* run(blockWith("workspace create --name Acme"))
        assert.strictEqual(failed, "")
      }),
    240_000
  )

  it.scopedLive(
    "have no command that does not run: an agent that talks, its versions, tools and reviews",
    () =>
      Effect.gen(function* () {
        const { asked, at, run, workspace } = yield* running(20)
        const voiced = yield* run(
          blockWith('"name": "Appointments"').replace("+1…", "+14155550177"),
          "$(last agent)"
        )
        const [talker] = /agent_[0-9a-z]{26}/.exec(voiced.printed)!
        const talked = yield* run(blockWith('"date":"Friday at ten"').replace("+1…", "+14155550125"), talker)
        const [talk] = /call_[0-9a-z]{26}/.exec(talked.printed)!
        yield* until(
          "the call is over",
          Effect.promise(async () => (await asked(`/calls/${talk}`)).includes('"status":"completed"'))
        )
        const said = yield* run(blockWith("/transcript -H").replace("call_…", talk))
        assert.include(said.printed, "Hello Ada, this is the practice of Dr. Green.")
        yield* until(
          "the call is reviewed",
          Effect.map(run(blockWith("/v0/sessions/sess_… -H")), ({ printed }) =>
            printed.includes('"review_status":"done"')
          )
        )

        const [, tool] = /^```json\n(\{\n  "name": "order_status"[\s\S]*?)^```$/m.exec(text)!
        writeFileSync(join(at, "tools.json"), `[${tool}]`)
        const question = { name: "comes", description: "Whether the callee comes", type: "boolean" }
        writeFileSync(join(at, "questions.json"), JSON.stringify([question]))
        const made = yield* run(blockWith("agent update agent_…"), "$(last agent)")
        assert.include(made.printed, "order_status")
        assert.include(made.printed, "version 1.")

        const twilio = yield* serveTwilio()
        twilio.others.push((asked) => {
          const lists = {
            incoming_phone_numbers: [{ phone_number: "+14155550177" }],
            outgoing_caller_ids: []
          }
          if (asked.path.includes("/Calls")) return false
          json(asked, 200, { ...lists, status: "active", type: "Full" })
          return true
        })
        const model = yield* listen(asText, (asked) => json(asked, 200, { data: [] }))
        const port = yield* Processes.freePort
        const filled = blockWith("OUTDIAL_TWILIO_RECORD=true")
          .replace(
            "https://voice.example.com",
            `http://127.0.0.1:${port} PORT=${port} OUTDIAL_URL=http://127.0.0.1:${port}/v0`
          )
          .replace("AC…", `${accountSid} OUTDIAL_TWILIO_URL=${twilio.url}`)
          .replace("AUTH_TOKEN=…", `AUTH_TOKEN=${authToken} OUTDIAL_DATABASE_URL=sqlite:talking.db`)
          .replace("https://api.openai.com/v1", model.url)
          .replaceAll("=…", "=test")
        const checked = yield* run(filled)
        assert.strictEqual(checked.failed, "", checked.printed)
        assert.include(checked.printed, "takes the credentials, and the account is active")
        assert.include(checked.printed, "Listening on")

        const secret = yield* run(blockWith("workspace tool-secret").replace("ws_…", workspace))
        assert.match(secret.printed, /^whsec_/)
        assert.strictEqual(secret.failed, "")
      }),
    240_000
  )
})
