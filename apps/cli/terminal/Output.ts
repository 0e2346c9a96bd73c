import { Context, Effect } from "effect"

/** A terminal whose last line can be drawn again and again. */
export interface Screen {
  /** Its width at this moment. */
  readonly columns: () => number
  /** Writes exactly this, with no line break after it. */
  readonly write: (text: string) => Effect.Effect<void>
}

/** Where the command line writes: results to `out`, all else to `err`. */
export class Output extends Context.Tag("outdial/cli/Output")<
  Output,
  {
    readonly out: (text: string) => Effect.Effect<void>
    readonly err: (text: string) => Effect.Effect<void>
    /** Writes a piece of a result as it is; completes when there is room for the next. */
    readonly bytes: (piece: Uint8Array) => Effect.Effect<void>
    /** The width of the terminal; undefined when the results go elsewhere. */
    readonly columns: number | undefined
    /** Whether results may carry colours. */
    readonly styled: boolean
    /** Where progress is drawn; undefined when `err` is no terminal. */
    readonly screen: Screen | undefined
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

/** Writes a result: its JSON text, digit for digit as the server sent it, or text for people. */
export const verbatim = Effect.fnUntraced(function* (
  json: boolean,
  document: string,
  text: (width: number | undefined) => string
) {
  const output = yield* Output
  yield* output.out(json ? document : text(output.columns))
})

/** Says something beside the result. */
export const note = (text: string) => Effect.flatMap(Output, (output) => output.err(text))
