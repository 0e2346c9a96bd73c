import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Redacted, TestClock } from "effect"
import { links, sockets } from "../../../adapters/browser/Trials.ts"
import { TrialLinks } from "../../../core/ports/TrialLinks.ts"
import * as SpeechLine from "../../contracts/SpeechLine.ts"
import { open } from "../relay/RelayPeer.ts"

const secret = Redacted.make("a secret of the platform's")
const session = { workspace_id: "ws_1", session_id: "sess_1" }
const options = { secret, basePath: "/v0", ownOrigin: "http://127.0.0.1:8080" }
const linkAt = (now: number, origin?: string) =>
  Effect.map(TrialLinks, ({ make }) => make(session, now, origin)).pipe(Effect.provide(links(options)))

const pathOf = (url: string) => url.replace(/^wss?:\/\/[^/]+/, "")

/** A page at which one types: it plays nothing, and so tells of no playout. */
const typed = Effect.gen(function* () {
  const { url } = yield* linkAt(Date.now())
  return Option.getOrThrow(
    yield* open(['{"type":"setup","capabilities":{"reportsPartials":true}}'], {}, (talk) => {
      const accepted = Effect.runSync(
        sockets(secret, (name, socket) => {
          assert.deepStrictEqual(name, session)
          return talk(socket)
        })({ url: pathOf(url), headers: {} })
      )
      return accepted._tag === "Accepted" ? accepted.run : assert.fail(accepted.message)
    })
  )
})

SpeechLine.suite("a page in a browser", typed, {
  tells: [
    { _tag: "CalleeSaid", text: "Who is", final: false, language: "en-US" },
    { _tag: "CalleeSaid", text: "Who is this?", final: true, language: "en-US" },
    { _tag: "Digit", digit: "5" }
  ]
})

SpeechLine.carryingSuite("a page in a browser", typed)

describe("the address at which an agent is tried out", () => {
  it.effect("is the public one, that of the request, or the server's own", () =>
    Effect.gen(function* () {
      const own = yield* linkAt(0)
      assert.match(own.url, /^ws:\/\/127\.0\.0\.1:8080\/v0\/conversations\/[\w.-]+$/)
      assert.strictEqual(own.expires_at, 60_000)
      assert.match((yield* linkAt(0, "https://voice.example")).url, /^wss:\/\/voice\.example\/v0\//)
    })
  )

  it.effect("is good for a minute, once, as it was given out, below any path of a proxy", () =>
    Effect.gen(function* () {
      const { url } = yield* linkAt(0)
      const accept = (path: string, handler = sockets(secret, () => Effect.void)) =>
        Effect.map(handler({ url: path, headers: {} }), (answer) =>
          answer._tag === "Refused" ? answer.status : answer.name
        )
      assert.strictEqual(yield* accept(pathOf(url)), "sess_1")
      assert.strictEqual(yield* accept(`/proxy${pathOf(url)}?from=here`), "sess_1")
      const once = sockets(secret, () => Effect.void)
      assert.strictEqual(yield* accept(pathOf(url), once), "sess_1")
      assert.strictEqual(yield* accept(pathOf(url), once), 403)
      for (const forged of [
        `${pathOf(url)}x`,
        pathOf(url).slice(0, -2),
        "/v0/conversations/",
        "/v0/conversations/a.b"
      ]) {
        assert.strictEqual(yield* accept(forged), 403)
      }
      yield* TestClock.adjust("60 seconds")
      assert.strictEqual(yield* accept(pathOf(url)), 403)
    })
  )

  it.scopedLive("has a line with the capabilities that the page claims", () =>
    Effect.gen(function* () {
      const { line } = yield* typed
      assert.deepInclude(line.capabilities, { reportsPlayout: false, reportsPartials: true })
    })
  )
})
