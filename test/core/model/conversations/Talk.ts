import type { ConversationState, Settings } from "../../../../core/model/conversations/Conversation.ts"
import {
  begin,
  type ConversationEvent,
  step
} from "../../../../core/model/conversations/ConversationMachine.ts"
import type { ConversationCommand } from "../../../../core/model/conversations/Draft.ts"

export const settings: Settings = {
  first_message: "Hello, this is Ada.",
  idle_timeout_warning: 10,
  idle_timeout_end: 20,
  max_call_length: 600,
  interruptible: "any",
  backchannels: ["mhm", "yes", "okay"],
  lines: {
    nudge: ["Are you still there?", "Can you hear me?"],
    filler: ["One moment."],
    closing: "Goodbye.",
    apology: "I am sorry, I have a problem here. Goodbye.",
    resumed: "Sorry, I lost you for a moment."
  },
  voicemail: { action: "hang_up", message: "Please call back." },
  transfers: ["+14155550100"],
  line: { reportsPlayout: true, endDropsSpeech: true, reportsPartials: true, reportsMessageEnd: true }
}

/** A conversation that a test drives, with a clock of its own. Timers ring as time passes. */
export class Talk {
  state: ConversationState
  now = 0
  /** What was asked for since the test last looked. */
  asked: Array<ConversationCommand> = []
  #timer: number | null = null

  constructor(changes: Partial<Settings> = {}) {
    this.state = begin({ ...settings, ...changes }, 0)
    this.tell({ _tag: "TimerFired" })
  }

  tell(...events: ReadonlyArray<ConversationEvent>): this {
    for (const event of events) {
      const { commands, state, timer } = step(this.state, event, this.now)
      this.state = state
      this.#timer = timer
      this.asked.push(...commands)
    }
    return this
  }

  /** Lets time pass, and each timer ring at its own time. */
  pass(millis: number): this {
    const until = this.now + millis
    while (this.#timer !== null && this.#timer <= until) {
      this.now = Math.max(this.now, this.#timer)
      this.tell({ _tag: "TimerFired" })
    }
    this.now = until
    return this
  }

  /** When the conversation next moves by itself. */
  get timer(): number | null {
    return this.#timer
  }

  /** What was asked for, once. */
  take(): ReadonlyArray<ConversationCommand> {
    return this.asked.splice(0)
  }

  /** The texts that were sent to be said since the test last looked. */
  said(): string {
    return this.take()
      .map((command) => (command._tag === "Say" ? command.text : ""))
      .join("")
  }

  /** The line says all that the agent has sent, and tells so. */
  hear(): this {
    const sent = this.state.cycle?.segments.map(({ text }) => text).join("") ?? ""
    const rest = sent.slice(this.state.cycle?.played.length ?? 0)
    return this.tell(
      { _tag: "AgentSpeaking", on: true },
      { _tag: "Played", text: rest },
      { _tag: "AgentSpeaking", on: false }
    )
  }

  callee(text: string, final = true): this {
    return this.tell({ _tag: "CalleeSaid", text, final, language: null })
  }

  /** The model answers the request under way. */
  model(...texts: ReadonlyArray<string>): this {
    const generation = this.state.generation!.id
    return this.tell(...texts.map((text) => ({ _tag: "Delta" as const, generation, text })), {
      _tag: "Generated",
      generation
    })
  }

  tools(...calls: ReadonlyArray<readonly [name: string, given: object]>): this {
    return this.tell({
      _tag: "ToolsAsked",
      generation: this.state.generation!.id,
      calls: calls.map(([name, given]) => ({ name, arguments: JSON.stringify(given) }))
    })
  }
}

/** A talk in which the greeting has been heard. */
export const greeted = (changes: Partial<Settings> = {}): Talk => {
  const talk = new Talk(changes).pass(400).tell({ _tag: "Connected" }).hear()
  talk.take()
  return talk
}
