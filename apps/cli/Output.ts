import { Context, Effect } from "effect"

/** Where the command line writes: results to `out`, everything said about them to `err`. */
export class Output extends Context.Tag("outdial/cli/Output")<
  Output,
  {
    readonly out: (text: string) => Effect.Effect<void>
    readonly err: (text: string) => Effect.Effect<void>
    /** The width of the terminal; undefined when the results go elsewhere. */
    readonly columns: number | undefined
    /** Whether results may carry colours. */
    readonly styled: boolean
  }
>() {}

/** Writes a result and nothing else: one JSON document, or text for people. */
export const result = Effect.fnUntraced(function* (
  json: boolean,
  document: unknown,
  text: (width: number | undefined) => string
) {
  const output = yield* Output
  yield* output.out(json ? JSON.stringify(document, null, 2) : text(output.columns))
})

/** Says something beside the result. */
export const note = (text: string) => Effect.flatMap(Output, (output) => output.err(text))
