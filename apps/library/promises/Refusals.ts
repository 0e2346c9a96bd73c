/** The platform is disposed of, or was while the call was under way. */
export class Disposed extends Error {
  readonly _tag = "Disposed"
  override readonly name = "Disposed"
  constructor() {
    super("the platform is disposed of")
  }
}

/** An option, or a setting, of the platform is not valid; the message says which, and repeats no value. */
export class InvalidOptions extends Error {
  readonly _tag = "InvalidOptions"
  override readonly name = "InvalidOptions"
}
