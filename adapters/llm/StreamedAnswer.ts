import type { AgentPart } from "../../core/ports/AgentModel.ts"
import {
  type ModelFailure,
  ModelUnavailable,
  ModelUnusable,
  type Usage
} from "../../core/ports/ModelFailure.ts"
import { Thoughts } from "./Thoughts.ts"
import { usageOf } from "./Wire.ts"

/** Characters of text and arguments in one answer. */
const mostText = 64 * 1_024
const mostCalls = 128

interface Call {
  id: string
  name: string
  arguments: string
}

type Properties = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Properties => typeof value === "object" && value !== null

const textOf = (value: unknown): string => (typeof value === "string" ? value : "")

const unusable = (message: string) => new ModelUnusable({ message })
const unreadable = unusable("the model's answer cannot be read")

/**
 * An answer as it is put together of its events. They are read by hand, since a model sends one for each word: a schema
 * would take ten times as long as the JSON. What is of another form than OpenAI's is left out.
 */
export class StreamedAnswer {
  readonly #thoughts = new Thoughts()
  /** By their index in the answer. */
  readonly #calls = new Map<unknown, Call>()
  readonly #done: Array<Call> = []
  #size = 0
  #usage: unknown = undefined
  #refused = false
  /** The model has said why it ends: what may follow is what it used. */
  finished = false

  /** Something has come that is said, thought aloud or asked of a tool. */
  get begun(): boolean {
    return this.#size > 0
  }

  /** What the data of an event adds, in `parts`. Answers whether it is the last, and fails with what is wrong. */
  read(data: string, parts: Array<AgentPart>): "more" | "last" | ModelFailure {
    if (data === "[DONE]") {
      this.finished = true
      return "last"
    }
    let chunk: unknown
    try {
      chunk = JSON.parse(data)
    } catch {
      return unreadable
    }
    if (!isObject(chunk)) return unreadable
    if (isObject(chunk["error"])) {
      return new ModelUnavailable({ message: "the model failed within its answer" })
    }
    if (isObject(chunk["usage"])) this.#usage = chunk["usage"]
    const choice: unknown = Array.isArray(chunk["choices"]) ? chunk["choices"][0] : undefined
    if (!isObject(choice)) return "more"
    if (isObject(choice["delta"])) this.#add(choice["delta"], parts)
    if (typeof choice["finish_reason"] === "string") {
      this.finished = true
      this.#refused = choice["finish_reason"] === "content_filter"
    }
    return this.#size > mostText || this.#calls.size + this.#done.length > mostCalls
      ? unusable("the model's answer is too long")
      : "more"
  }

  /** The parts at the end of an answer that is whole; or why it is none. */
  end(): { readonly parts: ReadonlyArray<AgentPart>; readonly usage: Usage } | ModelFailure {
    if (!this.finished) return new ModelUnavailable({ message: "the model's answer broke off" })
    const text = this.#thoughts.end()
    const calls = [...this.#done, ...this.#calls.values()].filter(({ name }) => name !== "")
    if (this.#refused && this.#size === 0) return unusable("the model refuses to answer")
    const parts: Array<AgentPart> = text === "" ? [] : [{ _tag: "Text", text }]
    if (calls.length > 0) {
      const asked = calls.map((call) => ({
        name: call.name,
        arguments: call.arguments.trim() === "" ? "{}" : call.arguments
      }))
      parts.push({ _tag: "ToolCalls", calls: asked })
    }
    const usage = usageOf(this.#usage)
    parts.push({ _tag: "Used", usage })
    return { parts, usage }
  }

  #add(delta: Properties, parts: Array<AgentPart>): void {
    const said = textOf(delta["content"]) + textOf(delta["refusal"])
    if (said !== "") {
      this.#size += said.length
      const text = this.#thoughts.push(said)
      if (text !== "") parts.push({ _tag: "Text", text })
    }
    if (!Array.isArray(delta["tool_calls"])) return
    for (const [i, piece] of delta["tool_calls"].entries()) if (isObject(piece)) this.#addCall(piece, i)
  }

  /** Some servers leave out the index, or give several calls the same: then a new id begins a new call. */
  #addCall(piece: Properties, place: number): void {
    const index = piece["index"] ?? place
    const id = textOf(piece["id"])
    const { arguments: given, name } = isObject(piece["function"]) ? piece["function"] : {}
    let call = this.#calls.get(index)
    if (call !== undefined && id !== "" && call.id !== "" && id !== call.id) {
      this.#done.push(call)
      call = undefined
    }
    if (call === undefined) {
      call = { id, name: "", arguments: "" }
      this.#calls.delete(index)
      this.#calls.set(index, call)
    }
    if (call.name === "") call.name = textOf(name)
    if (call.id === "") call.id = id
    const text = isObject(given) ? JSON.stringify(given) : textOf(given)
    call.arguments += text
    this.#size += text.length + 1
  }
}
