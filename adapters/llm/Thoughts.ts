const opening = "<think>"
const closing = "</think>"

/** How many of the last characters of a text may be the beginning of a mark. */
const overlap = (text: string, mark: string): number => {
  for (let length = Math.min(text.length, mark.length - 1); length > 0; length--) {
    if (text.endsWith(mark.slice(0, length))) return length
  }
  return 0
}

/** Leaves out what a model thinks aloud between `<think>` and `</think>` before it answers. */
export class Thoughts {
  #state: "before" | "within" | "after" = "before"
  #held = ""

  /** What is said of the text so far. */
  push(text: string): string {
    if (this.#state === "after") return text
    this.#held += text
    if (this.#state === "before") {
      const said = this.#held.trimStart()
      if (!said.startsWith(opening)) {
        if (opening.startsWith(said)) return ""
        return this.#leave(this.#held)
      }
      this.#state = "within"
      this.#held = said.slice(opening.length)
    }
    const end = this.#held.indexOf(closing)
    if (end !== -1) return this.#leave(this.#held.slice(end + closing.length).trimStart())
    this.#held = this.#held.slice(this.#held.length - overlap(this.#held, closing))
    return ""
  }

  /** What was held back, when nothing follows. */
  end(): string {
    return this.#state === "before" ? this.#leave(this.#held) : ""
  }

  #leave(said: string): string {
    this.#state = "after"
    this.#held = ""
    return said
  }
}
