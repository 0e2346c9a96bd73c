import type { TestResult } from "outdial/client"
import { Badge, Status } from "../components/Values.tsx"
import { plural, words } from "../data/Format.ts"
import { Transcript } from "./Transcript.tsx"

export const PlayStatus = ({ play }: { readonly play: TestResult }) =>
  play.status === null ? <Badge tone="busy">Under way</Badge> : <Status value={play.status} />

/** One play: how each judge sees it and why, and what was said. */
export const PlayView = ({ play }: { readonly play: TestResult }) => (
  <div class="stack">
    <p>
      <PlayStatus play={play} />{" "}
      <span class="second">
        {plural(play.turns, "turn")}
        {play.model === null ? "" : `, persona and judges by ${play.model}`}
      </span>
    </p>
    {play.error !== null && <p class="refusal">{play.error}</p>}
    <div class="halves">
      <dl class="verdicts">
        {Object.entries(play.judgments).map(([judge, { reasoning, verdict }]) => (
          <div key={judge}>
            <dt>
              {words(judge)} <Status value={verdict} />
            </dt>
            <dd>{reasoning}</dd>
          </div>
        ))}
      </dl>
      <Transcript play={play} />
    </div>
  </div>
)
