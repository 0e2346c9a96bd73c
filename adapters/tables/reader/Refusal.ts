/** The file cannot be taken. The message repeats nothing of it. */
export class Refusal extends Error {
  override readonly name = "Refusal"
}

const kinds = "the file is not a UTF-8 CSV or an .xlsx spreadsheet"

/** For a file of another kind; `what` says which it seems to be. */
export const otherKind = (what: string): Refusal => new Refusal(`${kinds}: it seems to be ${what}`)

/** For text in another encoding; `what` says what is wrong with it. */
export const otherEncoding = (what: string): Refusal => new Refusal(`${kinds}: ${what}; save it as UTF-8`)

export const damaged = (): Refusal =>
  new Refusal("the .xlsx spreadsheet is damaged: open it in a spreadsheet program and save it again")

export const tooLarge = (): Refusal => new Refusal("the file is too large to be read")
