import { Schema } from "effect"
import { isoTimestamp } from "../../../core/model/Codecs.ts"
import { type Play, resultOf } from "../../../core/model/suites/Play.ts"
import { RunSummary } from "../../../core/model/suites/Run.ts"
import type { RunDetail } from "../../../core/usecases/Runs.ts"

/** Characters of one piece of text, and as many more as one play has. */
const piece = 64 * 1024

const encode = Schema.encodeSync(RunSummary)

/** Its judgments pass no codec: a judge may be named `__proto__`. */
const toJson = (play: Play, model: string | null): string => {
  const result = resultOf(play, model)
  const transcript = result.transcript.map(({ at, role, text }) => ({ role, text, at: isoTimestamp(at) }))
  return JSON.stringify({ ...result, transcript })
}

/** A run's record as JSON text in pieces: what was said in two thousand plays is tens of megabytes. */
export const texts = function* ({ plays, run }: RunDetail): Generator<string> {
  let text = `${JSON.stringify(encode(run)).slice(0, -1)},"results":[`
  for (const [i, play] of plays.entries()) {
    text += (i === 0 ? "" : ",") + toJson(play, run.subject.model)
    if (text.length >= piece) {
      yield text
      text = ""
    }
  }
  yield `${text}]}`
}
