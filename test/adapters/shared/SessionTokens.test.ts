import { assert, describe, it } from "@effect/vitest"
import { Redacted } from "effect"
import * as FastCheck from "effect/FastCheck"
import { open, seal } from "../../../adapters/shared/SessionTokens.ts"

const key = Redacted.make("a secret of the platform's")
const session = { workspace_id: "ws_1", session_id: "sess_1" }

describe("a session's token", () => {
  it("opens to its session, in characters that a path may have", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.string(), FastCheck.string(), (workspace_id, session_id) => {
        const token = seal(key, "carrier", { workspace_id, session_id }, null)
        assert.match(token, /^[A-Za-z0-9_.-]+$/)
        assert.deepStrictEqual(open(key, "carrier", token, Number.MAX_SAFE_INTEGER), {
          workspace_id,
          session_id
        })
      })
    )
  })

  it("is good until its time is over", () => {
    const token = seal(key, "client", session, 60_000)
    assert.deepStrictEqual(open(key, "client", token, 59_999), session)
    assert.isNull(open(key, "client", token, 60_000))
  })

  it("is refused when another key made it, when it is another audience's, and when any of it was changed", () => {
    const token = seal(key, "carrier", session, null)
    assert.isNull(open(Redacted.make("another"), "carrier", token, 0))
    assert.isNull(open(key, "client", token, 0))
    const other = seal(key, "carrier", { ...session, workspace_id: "ws_2" }, null)
    const [content, signature] = token.split(".")
    for (const forged of [
      "",
      ".",
      content!,
      `${content}.`,
      `${other.split(".")[0]}.${signature}`,
      `${content}.${other.split(".")[1]}`,
      `${content}.${signature}.`,
      `${content!.slice(1)}.${signature}`,
      `${content}.${signature!.slice(2)}`
    ]) {
      assert.isNull(open(key, "carrier", forged, 0), forged)
    }
  })
})
