import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, TestClock } from "effect"
import { forecast } from "../../../../adapters/http/contract/SimulationExamples.ts"
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import * as Processes from "../../../programs/Processes.ts"
import { commandLine, documentOf, folder, type Ran } from "../commandLine.ts"
import { type Answering, json, key, refusal, screenOf, serving } from "../serving.ts"
import { campaign } from "./record.ts"

const failure = (message: string): Ran => ({ code: 1, out: "", err: `outdial: ${message}\n` })

describe("campaign", () => {
  it.scopedLive("list shows every page as one table, of one status where that is asked for", () =>
    Effect.gen(function* () {
      const all = Array.from({ length: 130 }, (_, i) =>
        campaign({ id: `camp_${i}`, status: "paused" }, { completed: 2, failed: 1, skipped: 1, answered: i })
      )
      const { requests, run } = yield* serving(({ path }, response) => {
        const query = new URL(path, "http://x").searchParams
        const [limit, offset] = [Number(query.get("limit")), Number(query.get("offset"))]
        json(response, {
          data: all.slice(offset, offset + limit),
          pagination: { limit, offset, total: all.length }
        })
      })
      const lines = (yield* run("campaign", "list", "--status", "paused")).out.trimEnd().split("\n")
      assert.strictEqual(lines.length, 131)
      assert.match(lines[0]!, /^ID +NAME +STATUS +TOTAL +DONE +ANSWERED$/)
      assert.match(lines[130]!, /^camp_129 +Spring +paused +10 +4 +129$/)
      assert.deepStrictEqual(
        requests.map(({ method, path }) => `${method} ${path}`),
        [
          "GET /v0/campaigns?limit=100&offset=0&status=paused",
          "GET /v0/campaigns?limit=100&offset=100&status=paused"
        ]
      )
      assert.deepStrictEqual(documentOf(yield* run("campaign", "list", "--json")), { data: all })
    })
  )

  it.scopedLive("forecast tells when it ends, with percentiles, and programs what the server said", () =>
    Effect.gen(function* () {
      const { requests, run } = yield* serving((_, response) => json(response, forecast))
      const { out } = yield* run("campaign", "forecast", "camp_1")
      assert.strictEqual(requests[0]!.path, "/v0/campaigns/camp_1/forecast")
      assert.match(out, /^LEARNED FROM +812 calls$/m)
      assert.match(out, /^Finishes +2026-03-02 14:40:00Z +2026-03-02 15:05:00Z +2026-03-02 15:35:00Z$/m)
      assert.match(out, /^Reached, in all +420 +441 +460$/m)
      assert.deepStrictEqual(documentOf(yield* run("campaign", "forecast", "camp_1", "--json")), forecast)
    })
  )

  it.scopedLive("list says so when there is none, and refuses a status that there is not", () =>
    Effect.gen(function* () {
      const { requests, run } = yield* serving((_, response) =>
        json(response, { data: [], pagination: { limit: 100, offset: 0, total: 0 } })
      )
      assert.strictEqual((yield* run("campaign", "list")).out, "There is no such campaign.\n")
      assert.deepStrictEqual(documentOf(yield* run("campaign", "list", "--json")), { data: [] })
      assert.strictEqual((yield* run("campaign", "list", "--status", "ended")).code, 2)
      assert.strictEqual(requests.length, 2)
    })
  )

  it.scopedLive(
    "show tells people why it stands still, and programs what the server said, digit for digit",
    () =>
      Effect.gen(function* () {
        const text = JSON.stringify(
          campaign({ status: "paused", status_reason: "insufficient_credits", name: "a\u001b[2Jb" })
        ).replace('"metadata":null', '"metadata":{"n":1.0,"big":12345678901234567890}')
        const { requests, run } = yield* serving((_, response) => json(response, text))
        const { out } = yield* run("campaign", "show", "camp_1/../x")
        assert.match(out, /^STATUS +paused: the workspace's credits are used up \(insufficient_credits\)$/m)
        assert.match(out, /^RECIPIENTS +10$/m)
        assert.include(out, "a\\u001b[2Jb")
        assert.strictEqual((yield* run("campaign", "show", "camp_1", "--json")).out, `${text}\n`)
        assert.strictEqual(requests[0]!.path, "/v0/campaigns/camp_1%2F..%2Fx")
      })
  )

  it.scopedLive("create sends what was given and nothing else", () =>
    Effect.gen(function* () {
      const { requests, run } = yield* serving((_, response) => json(response, campaign({ status: "draft" })))
      const create = (...args: ReadonlyArray<string>) =>
        run("campaign", "create", "--name", "Spring", "--agent", "agent_1", ...args)
      const made = yield* create()
      assert.strictEqual(made.code, 0)
      assert.match(made.out, /^STATUS +draft$/m)
      assert.strictEqual(made.err, "\nNext: outdial campaign import camp_1 FILE\n")
      const window = ["--window", "09:00-17:30", "--timezone", "Europe/Paris"]
      const caps = ["--max-concurrency", "5", "--calls-per-minute", "60", "--from", "pn_2", "--retries", "2"]
      yield* create(...window, ...caps, "--scheduled-for", "2026-02-03T10:00:00+01:00", "--json")
      const [least, most] = requests.map(({ body }) => JSON.parse(body.toString()) as unknown)
      assert.deepStrictEqual(least, { name: "Spring", agent_id: "agent_1" })
      assert.deepStrictEqual(most, {
        name: "Spring",
        agent_id: "agent_1",
        from_phone_number_id: "pn_2",
        max_concurrency: 5,
        calls_per_minute: 60,
        scheduled_for: "2026-02-03T09:00:00.000Z",
        call_config: {
          call_retry_config: { retry_count: 2 },
          call_time: { call_start_time: "09:00", call_end_time: "17:30", timezone: "Europe/Paris" }
        }
      })
      assert.strictEqual(requests[0]!.headers["content-type"], "application/json")
    })
  )

  it.scopedLive("create with the channel msg sends the template and what fills it", () =>
    Effect.gen(function* () {
      const template = { id: "tmpl_1", variables: { body: { "1": "name" } } }
      const { requests, run } = yield* serving((_, response) =>
        json(response, campaign({ status: "draft", channel: "msg", template }))
      )
      const create = (...args: ReadonlyArray<string>) =>
        run("campaign", "create", "--name", "Spring", "--agent", "agent_1", "--channel", "msg", ...args)
      const made = yield* create("--template", "tmpl_1")
      assert.strictEqual(made.code, 0, made.err)
      assert.match(made.out, /^TEMPLATE +tmpl_1$/m)
      const maps = [
        "body.1=First name",
        "body.2=a=b",
        "header.link=photo",
        "buttons.0=code",
        "body.__proto__=x"
      ]
      yield* create("--template", "tmpl_1", ...maps.flatMap((map) => ["--map", map]))
      yield* run("campaign", "create", "--name", "Spring", "--agent", "agent_1", "--channel", "voice")
      const bodies = requests.map(({ body }) => body.toString())
      assert.deepStrictEqual(JSON.parse(bodies[0]!), {
        name: "Spring",
        agent_id: "agent_1",
        channel: "msg",
        template: { id: "tmpl_1" }
      })
      assert.include(
        bodies[1],
        '"template":{"id":"tmpl_1","variables":{"body":{"1":"First name","2":"a=b","__proto__":"x"},' +
          '"header":{"link":"photo"},"buttons":{"0":"code"}}}'
      )
      assert.deepStrictEqual(JSON.parse(bodies[2]!), {
        name: "Spring",
        agent_id: "agent_1",
        channel: "voice"
      })
    })
  )

  it.scopedLive("create refuses what is no window and no time, and asks nothing of the server", () =>
    Effect.gen(function* () {
      const { requests, run } = yield* serving((_, response) => json(response, campaign()))
      for (const [args, message] of [
        [["--window", "9-5", "--timezone", "Europe/Paris"], "--window must be two times of 24 hours"],
        [["--window", "09:00-17:00"], "--window and --timezone go together"],
        [["--timezone", "Europe/Paris"], "--window and --timezone go together"],
        [["--scheduled-for", "tomorrow"], "--scheduled-for must be a time"],
        [["--scheduled-for", "2090-01-01T09:00:00"], "with its offset"],
        [["--scheduled-for", "2026-02-31T25:00Z"], "--scheduled-for must be a time"],
        [["--retries", "x"], "'x' is not a number"],
        [["--channel", "mail"], "--channel must be voice or msg"],
        [["--channel", "msg"], "--channel msg needs --template"],
        [["--template", "tmpl_1"], "--template needs --channel msg"],
        [["--channel", "voice", "--template", "tmpl_1"], "--template needs --channel msg"],
        [["--map", "body.1=name"], "--map needs --template"],
        [["--channel", "msg", "--template", "t", "--map", "1=name"], "--map must be a part"],
        [["--channel", "msg", "--template", "t", "--map", "footer.1=name"], "--map must be a part"],
        [["--channel", "msg", "--template", "t", "--map", "body.1="], "--map must be a part"],
        [
          ["--channel", "msg", "--template", "t", "--map", "body.1=a", "--map", "body.1=b"],
          "--map names body.1 more than once"
        ]
      ] as const) {
        const ran = yield* run("campaign", "create", "--name", "n", "--agent", "a", ...args)
        assert.strictEqual(ran.code, 2)
        assert.include(ran.err, message)
        assert.match(ran.err, /^outdial: .+ \(see outdial campaign create --help\)\n$/)
      }
      assert.deepStrictEqual(requests, [])
    })
  )

  it.scopedLive("start, pause and cancel ask for just that, once, and say how the campaign stands", () =>
    Effect.gen(function* () {
      const answers = [
        campaign(),
        campaign({ status: "paused", status_reason: "user" }),
        campaign({ status: "cancelled", status_reason: "user" })
      ]
      const { requests, run } = yield* serving((_, response, nth) => json(response, answers[(nth - 1) % 3]))
      const said: Array<string> = []
      for (const verb of ["start", "pause", "cancel"])
        said.push((yield* run("campaign", verb, "camp_1")).out.trim())
      assert.deepStrictEqual(said, [
        "Campaign camp_1 is running.",
        "Campaign camp_1 is paused: by its owner (user).",
        "Campaign camp_1 is cancelled: by its owner (user)."
      ])
      assert.deepStrictEqual(
        requests.map(({ body, method, path }) => `${method} ${path} ${body.toString()}`),
        [
          "POST /v0/campaigns/camp_1/start ",
          'PATCH /v0/campaigns/camp_1 {"status":"paused"}',
          'PATCH /v0/campaigns/camp_1 {"status":"cancelled"}'
        ]
      )
      assert.deepStrictEqual(documentOf(yield* run("campaign", "start", "camp_1", "--json")), answers[0])
    })
  )
})

describe("campaign export", () => {
  const csv = 'recipient_id,name\r\nrcpt_1,"a ""b""\r\nc"\r\nrcpt_2,d\r\n'
  const results: Answering = (_, response) => {
    response.writeHead(200, { "content-type": "text/csv" })
    response.write(csv.slice(0, 30))
    response.end(csv.slice(30))
  }

  it.scopedLive("writes the file as it comes: to stdout, or to a file and then what it wrote", () =>
    Effect.gen(function* () {
      const { requests, run } = yield* serving(results)
      assert.deepStrictEqual(yield* run("campaign", "export", "camp_1"), { code: 0, out: csv, err: "" })
      assert.strictEqual(requests[0]!.path, "/v0/campaigns/camp_1/results.csv")
      const path = yield* folder
      const output = join(path, "results.csv")
      const ran = yield* run("campaign", "export", "camp_1", "--output", output)
      assert.strictEqual(ran.out, `The results of 2 recipients are in ${output}.\n`)
      assert.strictEqual(yield* Effect.promise(() => readFile(output, "utf8")), csv)
      const again = yield* run("campaign", "export", "camp_1", "--output", output, "--json")
      assert.deepStrictEqual(documentOf(again), {
        campaign_id: "camp_1",
        output,
        recipients: 2,
        bytes: csv.length
      })
      assert.deepStrictEqual(yield* Effect.promise(() => readdir(path)), ["results.csv"])
      assert.strictEqual((yield* run("campaign", "export", "camp_1", "--json")).code, 2)
    })
  )

  it.scopedLive("that breaks off leaves the file that was there, and no other", () =>
    Effect.gen(function* () {
      const { run, url } = yield* serving((_, response) => {
        response.writeHead(200, { "content-type": "text/csv" })
        response.write(csv.slice(0, 30), () => response.destroy())
      })
      const path = yield* folder
      const output = join(path, "results.csv")
      yield* Effect.promise(() => writeFile(output, "of yesterday"))
      const ran = yield* run("campaign", "export", "camp_1", "--output", output)
      assert.deepStrictEqual(ran, failure(`the connection to ${url} was lost`))
      assert.strictEqual(yield* Effect.promise(() => readFile(output, "utf8")), "of yesterday")
      assert.deepStrictEqual(yield* Effect.promise(() => readdir(path)), ["results.csv"])
      assert.strictEqual((yield* run("campaign", "export", "camp_1")).code, 1)
    })
  )

  it.scopedLive("says why a file cannot be written", () =>
    Effect.gen(function* () {
      const { run } = yield* serving(results)
      const path = yield* folder
      yield* Effect.promise(() => mkdir(join(path, "taken")))
      for (const [output, reason] of [
        [join(path, "taken"), "it is a folder"],
        [join(path, "none", "x.csv"), "there is no such file or folder"]
      ] as const) {
        const ran = yield* run("campaign", "export", "camp_1", "--output", output)
        assert.deepStrictEqual(ran, failure(`${output} cannot be written: ${reason}`))
      }
    })
  )

  it.scopedLive("draws on the screen how much has come, and leaves it clean", () =>
    Effect.gen(function* () {
      const { screen, shown, written } = screenOf(80)
      const { run } = yield* serving(results, { screen })
      yield* run("campaign", "export", "camp_1", "--output", join(yield* folder, "results.csv"))
      assert.match(written.join(""), /Downloading \[ *<=> *\] \d+ KB/)
      assert.strictEqual(shown(), "")
    })
  )
})

describe("the connection", () => {
  const show = (settings: Readonly<Record<string, string>>, ...args: ReadonlyArray<string>) =>
    commandLine(settings)("campaign", "show", "camp_1", ...args)

  it.scopedLive(
    "takes the address of --url before that of OUTDIAL_URL, and sends the key in its header",
    () =>
      Effect.gen(function* () {
        const { requests, url } = yield* serving((_, response) => json(response, campaign()))
        const settings = { OUTDIAL_URL: "http://127.0.0.1:1/v0", OUTDIAL_API_KEY: ` ${key}\n` }
        assert.strictEqual((yield* show(settings, "--url", `${url}/`)).code, 0)
        assert.strictEqual(requests[0]!.path, "/v0/campaigns/camp_1")
        assert.strictEqual(requests[0]!.headers["x-api-key"], key)
      })
  )

  it.effect("needs a key and an address, and says which setting lacks them", () =>
    Effect.gen(function* () {
      const set = { OUTDIAL_API_KEY: key }
      for (const [settings, args, message] of [
        [{}, [], /^outdial: OUTDIAL_API_KEY is not set: /],
        [{ OUTDIAL_API_KEY: " " }, [], /^outdial: OUTDIAL_API_KEY is not set: /],
        [{ OUTDIAL_API_KEY: `${key}\u0001` }, [], /^outdial: OUTDIAL_API_KEY is no API key/],
        [set, ["--url", "localhost:8080"], /^outdial: --url must be a URL such as http:/],
        [{ ...set, OUTDIAL_URL: "nonsense" }, [], /^outdial: OUTDIAL_URL must be a URL such as http:/],
        [
          set,
          ["--url", "http://u:hunter2@h/v0"],
          /^outdial: --url must be a URL of host, port and path alone/
        ],
        [set, ["--url", "http://h/v0?x=1"], /^outdial: --url must be a URL of host, port and path alone/]
      ] as const) {
        const ran = yield* show(settings, ...args)
        assert.strictEqual(ran.code, 2)
        assert.match(ran.err, message)
        assert.match(ran.err, / \(see outdial campaign show --help\)\n$/)
        assert.notMatch(ran.err, /hunter2|od_live_0/)
      }
    })
  )

  it.scopedLive("says in one line what the server has against it", () =>
    Effect.gen(function* () {
      const detail = [{ msg: "name is required" }, { msg: "status cannot be changed" }]
      const answers: ReadonlyArray<readonly [number, unknown, string]> = [
        [401, refusal("unauthorized", "?"), "the server does not know this API key (OUTDIAL_API_KEY)"],
        [
          403,
          refusal("forbidden", "the credential lacks the scope campaigns:read"),
          "the credential lacks the scope campaigns:read (forbidden)"
        ],
        [404, refusal("not_found", "no such campaign"), "no such campaign (not_found)"],
        [422, { detail }, "name is required; status cannot be changed"],
        [503, refusal("service_unavailable", "come\nback"), "come\\u000aback (service_unavailable)"]
      ]
      const { run } = yield* serving((_, response, nth) => {
        const [status, body] = answers[nth - 1]!
        json(response, body, status)
      })
      for (const [, , message] of answers)
        assert.deepStrictEqual(yield* run("campaign", "show", "camp_1"), failure(message))
    })
  )

  it.scopedLive("tells what is not Outdial's interface, and where its /v0 may be missing", () =>
    Effect.gen(function* () {
      const { port, run, url } = yield* serving(({ path }, response, nth) => {
        if (!path.startsWith("/v0/")) return json(response, refusal("not_found", "nothing here"), 404)
        const html = "<html>Welcome</html>"
        if (nth === 3) return json(response, { id: "camp_1" })
        response.writeHead([200, 502, 0, 301][nth - 1]!, { location: "http://127.0.0.1:1/" }).end(html)
      })
      for (const status of [200, 502, 200, 301]) {
        assert.deepStrictEqual(
          yield* run("campaign", "show", "camp_1"),
          failure(
            `what answers at ${url} is not Outdial's interface (${status}): is the address right, with its /v0?`
          )
        )
      }
      const bare = `http://127.0.0.1:${port}`
      assert.deepStrictEqual(
        yield* run("campaign", "show", "camp_1", "--url", bare),
        failure(`nothing here (not_found); does ${bare} lack its /v0?`)
      )
    })
  )

  it.scopedLive("tells a server that is not there from one that breaks off", () =>
    Effect.gen(function* () {
      const { run, url } = yield* serving((_, response, nth) => {
        if (nth === 1) return void response.socket!.destroy()
        response.writeHead(200, { "content-length": "1000" })
        response.write("{", () => response.destroy())
      })
      const lost = failure(`the connection to ${url} was lost`)
      assert.deepStrictEqual(yield* run("campaign", "show", "camp_1"), lost)
      assert.deepStrictEqual(yield* run("campaign", "show", "camp_1"), lost)
      const port = yield* Processes.closedPort
      const nowhere = `http://127.0.0.1:${port}/v0`
      assert.deepStrictEqual(
        yield* run("campaign", "show", "camp_1", "--url", nowhere),
        failure(`no server answers at ${nowhere}; start it with npm start`)
      )
    })
  )

  it.scoped("gives up a question that is not answered within half a minute", () =>
    Effect.gen(function* () {
      const asked = yield* Deferred.make<void>()
      const { run, url } = yield* serving(() => Deferred.unsafeDone(asked, Effect.void))
      const asking = yield* Effect.fork(run("campaign", "show", "camp_1"))
      yield* Deferred.await(asked)
      yield* TestClock.adjust("29 seconds")
      assert.isNull(asking.unsafePoll())
      yield* TestClock.adjust("2 seconds")
      assert.deepStrictEqual(
        yield* Fiber.join(asking),
        failure(`the server at ${url} did not answer in time`)
      )
    })
  )

  it.scopedLive("never shows the key, even where a server sends it back", () =>
    Effect.gen(function* () {
      const { run } = yield* serving(({ headers, path }, response) => {
        const echoed = headers["x-api-key"] as string
        if (path.endsWith("camp_1")) return json(response, refusal("not_found", `no ${echoed}`), 404)
        json(response, campaign({ name: echoed }))
      })
      for (const args of [
        ["show", "camp_1"],
        ["show", "camp_2"],
        ["show", "camp_2", "--json"],
        ["start", "camp_2"]
      ]) {
        const { err, out } = yield* run("campaign", ...args)
        assert.notInclude(out + err, "od_live_0")
      }
      assert.include((yield* run("campaign", "show", "camp_1")).err, "no (the API key) (not_found)")
    })
  )
})
