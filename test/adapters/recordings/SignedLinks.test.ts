import { createHmac } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FastCheck, Redacted } from "effect"
import * as SignedLinks from "../../../adapters/recordings/SignedLinks.ts"
import { type PresentedLink, RecordingLinks } from "../../../core/ports/RecordingLinks.ts"

const secret = Redacted.make("a secret for links, of at least 32 bytes")
const now = 1_790_000_000_500
const recording = { id: "rec_1", customer_id: "ws_a" }

const parse = (url: string): PresentedLink => {
  const { pathname, searchParams } = new URL(url)
  return {
    recording_id: pathname.split("/").at(-2)!,
    workspace_id: searchParams.get("workspace")!,
    expires: searchParams.get("expires")!,
    signature: searchParams.get("signature")!
  }
}

const check = (
  name: string,
  body: (links: RecordingLinks["Type"]) => void,
  options: SignedLinks.Options = { secret }
) => it.effect(name, () => Effect.map(RecordingLinks, body).pipe(Effect.provide(SignedLinks.layer(options))))

describe("a signed link", () => {
  check("is an HMAC-SHA256 of workspace, recording and the second of its end", ({ make }) => {
    const { expires_at, url } = make(recording, now)
    assert.strictEqual(expires_at, 1_790_003_600_000)
    const signed = JSON.stringify(["recording", "ws_a", "rec_1", "1790003600"])
    const signature = createHmac("sha256", Redacted.value(secret)).update(signed).digest("base64url")
    assert.strictEqual(
      url,
      `http://127.0.0.1:8080/v0/recordings/rec_1/audio?workspace=ws_a&expires=1790003600&signature=${signature}`
    )
  })

  check("is good until that moment and expired from then on", ({ judge, make }) => {
    const { expires_at, url } = make(recording, now)
    const link = parse(url)
    assert.strictEqual(judge(link, now), "good")
    assert.strictEqual(judge(link, expires_at - 1), "good")
    assert.strictEqual(judge(link, expires_at), "expired")
    assert.strictEqual(judge(link, Number.MAX_SAFE_INTEGER), "expired")
  })

  check("is forged once anything about it is another", ({ judge, make }) => {
    const link = parse(make(recording, now).url)
    const alike = FastCheck.record({
      recording_id: FastCheck.constantFrom(link.recording_id, "rec_2", "", "rec_1/"),
      workspace_id: FastCheck.constantFrom(link.workspace_id, "ws_b", "", "ws_a "),
      expires: FastCheck.oneof(
        FastCheck.constantFrom(
          link.expires,
          "9999999999",
          `0${link.expires}`,
          `${link.expires}.0`,
          "",
          "1e12"
        ),
        FastCheck.string()
      ),
      signature: FastCheck.oneof(
        FastCheck.constantFrom(
          link.signature,
          "",
          `${link.signature}=`,
          link.signature.toLowerCase(),
          link.signature.slice(0, -1)
        ),
        FastCheck.string(),
        FastCheck.stringMatching(/^[A-Za-z0-9_-]{43}$/)
      )
    })
    FastCheck.assert(
      FastCheck.property(alike, (other) => {
        const same = (Object.keys(link) as Array<keyof PresentedLink>).every(
          (key) => other[key] === link[key]
        )
        assert.strictEqual(judge(other, now), same ? "good" : "forged")
      }),
      { numRuns: 2_000 }
    )
  })

  check("is forged in every one of its signature's letters", ({ judge, make }) => {
    const link = parse(make(recording, now).url)
    const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    for (let i = 0; i < link.signature.length; i++) {
      for (const letter of letters) {
        if (letter === link.signature[i]) continue
        const signature = link.signature.slice(0, i) + letter + link.signature.slice(i + 1)
        assert.strictEqual(judge({ ...link, signature }, now), "forged")
      }
    }
  })

  it.effect("of another server's secret is forged; the same secret's is good in any process", () =>
    Effect.gen(function* () {
      const made = yield* Effect.provide(RecordingLinks, SignedLinks.layer({ secret }))
      const link = parse(made.make(recording, now).url)
      const twin = yield* Effect.provide(RecordingLinks, SignedLinks.layer({ secret }))
      assert.strictEqual(twin.judge(link, now), "good")
      for (const options of [{ secret: Redacted.make(`${Redacted.value(secret)}.`) }, {}]) {
        const stranger = yield* Effect.provide(RecordingLinks, SignedLinks.layer(options))
        assert.strictEqual(stranger.judge(link, now), "forged")
      }
    })
  )

  check(
    "leads to where the client came, unless there is a public address",
    ({ make }) => {
      assert.match(make(recording, now).url, /^http:\/\/10\.0\.0\.1:80\/api\/v0\/recordings\//)
      assert.match(make(recording, now, "https://here").url, /^https:\/\/here\/api\/v0\/recordings\//)
    },
    { secret, basePath: "/api/v0", ownOrigin: "http://10.0.0.1:80" }
  )

  check(
    "leads to the public address where there is one",
    ({ make }) => {
      assert.match(make(recording, now, "https://here").url, /^https:\/\/voice\.example\/v0\/recordings\//)
    },
    { secret, publicOrigin: "https://voice.example", lifetime: "5 minutes" }
  )

  check(
    "lives as long as it is told to",
    ({ make }) => assert.strictEqual(make(recording, now).expires_at, 1_790_000_300_000),
    { secret, lifetime: "5 minutes" }
  )

  check("carries ids of any form unharmed", ({ judge, make }) => {
    const odd = { id: "rec_é&?/#", customer_id: "ws a&b=c" }
    const link = parse(make(odd, now).url)
    assert.strictEqual(judge({ ...link, recording_id: decodeURIComponent(link.recording_id) }, now), "good")
  })
})
