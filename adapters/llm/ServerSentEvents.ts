/** Characters that an event may have. */
const longestEvent = 1024 * 1024

/** An event has no end. */
export class EventTooLong extends Error {}

/**
 * Reads the data of server-sent events as their bytes come, cut anywhere, with lines that end in LF or CRLF. Comments
 * and other fields are left out. Source: HTML Standard, 9.2.6.
 */
export class ServerSentEvents {
  readonly #decoder = new TextDecoder()
  #rest = ""
  #data: string | undefined

  /** The data of the events that are whole with these bytes. Throws `EventTooLong`. */
  push(bytes: Uint8Array): ReadonlyArray<string> {
    return this.#read(this.#decoder.decode(bytes, { stream: true }))
  }

  /** The data of an event that the end of the stream ends. */
  end(): ReadonlyArray<string> {
    return this.#read(`${this.#decoder.decode()}\n\n`)
  }

  #read(more: string): ReadonlyArray<string> {
    const text = this.#rest + more
    const events: Array<string> = []
    let from = 0
    for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", from)) {
      const end = at > from && text.charCodeAt(at - 1) === 13 ? at - 1 : at
      if (end === from) this.#dispatch(events)
      else if (text.startsWith("data:", from)) {
        const value = text.slice(text.charCodeAt(from + 5) === 32 ? from + 6 : from + 5, end)
        this.#data = this.#data === undefined ? value : `${this.#data}\n${value}`
      }
      from = at + 1
    }
    this.#rest = text.slice(from)
    if (this.#rest.length + (this.#data?.length ?? 0) > longestEvent) throw new EventTooLong()
    return events
  }

  #dispatch(events: Array<string>): void {
    if (this.#data === undefined) return
    events.push(this.#data)
    this.#data = undefined
  }
}
