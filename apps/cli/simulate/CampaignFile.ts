import { Either, ParseResult, Schema } from "effect"
import { type CampaignDraft, draftFromValue } from "../../../core/model/campaigns/CampaignBody.ts"
import { type Issue, issuesOf } from "../../../core/model/Issues.ts"
import { E164 } from "../../../core/model/numbers/PhoneNumber.ts"

const cap = Schema.Int.pipe(Schema.between(1, 100_000))
const credits = Schema.Int.pipe(Schema.between(0, 1_000_000_000_000))

/** The settings of the campaign's workspace that a simulation uses; each has a default. */
const WorkspaceCaps = Schema.Struct({
  max_concurrency: Schema.optionalWith(cap, { default: () => 50 }),
  calls_per_second: Schema.optionalWith(cap, { default: () => 10 }),
  allowed_countries: Schema.optionalWith(Schema.Array(Schema.String.pipe(Schema.pattern(/^[A-Z]{2}$/))), {
    default: () => []
  }),
  allow_costly_destinations: Schema.optionalWith(Schema.Boolean, { default: () => false }),
  credits: Schema.optionalWith(Schema.NullOr(credits), { default: () => null }),
  price_per_minute: Schema.optionalWith(credits, { default: () => 1 }),
  do_not_call: Schema.optionalWith(Schema.Array(E164), { default: () => [] })
}).annotations({ parseOptions: { onExcessProperty: "error", errors: "all" } })

export interface CampaignFile {
  readonly draft: CampaignDraft
  readonly workspace: typeof WorkspaceCaps.Type
}

const decode = ParseResult.decodeUnknownEither(WorkspaceCaps)

const voiceOnly: Issue = { path: ["channel"], message: "channel must be voice" }

const within = (issue: Issue): Issue => ({ ...issue, path: ["workspace", ...issue.path] })

/** Reads the body of `POST /campaigns`, which may have `workspace` beside its properties. */
export const campaignFromJson = (text: string): Either.Either<CampaignFile, ReadonlyArray<Issue>> =>
  Either.gen(function* () {
    const parsed = yield* Either.mapLeft(
      Either.try(() => JSON.parse(text) as unknown),
      () => [{ path: [], message: "it is not valid JSON" }]
    )
    if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) {
      return yield* Either.left([{ path: [], message: "it must be a JSON object" }])
    }
    const { workspace = {}, ...campaign } = parsed as Readonly<Record<string, unknown>>
    const draft = yield* draftFromValue(campaign)
    if (draft.channel !== "voice") return yield* Either.left([voiceOnly])
    const caps = yield* Either.mapLeft(decode(workspace), (issue) =>
      issuesOf(new ParseResult.ParseError({ issue })).map(within)
    )
    return { draft, workspace: caps }
  })
