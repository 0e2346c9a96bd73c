interface Result {
  readonly isFinal: boolean
  readonly [index: number]: { readonly transcript: string }
}

interface Recognition extends EventTarget {
  lang: string
  continuous: boolean
  interimResults: boolean
  start: () => void
  abort: () => void
}

interface Recognized extends Event {
  readonly resultIndex: number
  readonly results: ArrayLike<Result>
}

const constructors = globalThis as unknown as Readonly<
  Record<"SpeechRecognition" | "webkitSpeechRecognition", (new () => Recognition) | undefined>
>

const Recognizer = constructors.SpeechRecognition ?? constructors.webkitSpeechRecognition

/** Whether the browser can speak and listen by itself. */
export const isAble = Recognizer !== undefined && "speechSynthesis" in globalThis

/** Says a text aloud; `ended` tells whether it was said to its end. */
export const speak = (
  text: string,
  language: string,
  told: { readonly began: () => void; readonly ended: (whole: boolean) => void }
): void => {
  const utterance = new SpeechSynthesisUtterance(text)
  utterance.lang = language
  utterance.addEventListener("start", told.began)
  utterance.addEventListener("end", () => told.ended(true))
  utterance.addEventListener("error", () => told.ended(false))
  speechSynthesis.speak(utterance)
}

export const hush = (): void => speechSynthesis.cancel()

/** Listens until it is left: `begun` at each first word, `said` at each whole utterance. */
export const listen = (
  language: string,
  heard: {
    readonly begun: () => void
    readonly said: (text: string) => void
    readonly refused: (reason: string) => void
  }
): (() => void) => {
  const recognition = new Recognizer!()
  let isLeft = false
  recognition.lang = language
  recognition.continuous = true
  recognition.interimResults = true
  recognition.addEventListener("result", (event) => {
    const { resultIndex, results } = event as Recognized
    for (const result of Array.from(results).slice(resultIndex)) {
      if (result.isFinal) heard.said(result[0]!.transcript.trim())
      else heard.begun()
    }
  })
  recognition.addEventListener("error", (event) => {
    const { error } = event as Event & { readonly error: string }
    if (error !== "not-allowed" && error !== "service-not-allowed" && error !== "audio-capture") return
    isLeft = true
    heard.refused(error)
  })
  // A browser ends it after a silence.
  recognition.addEventListener("end", () => {
    if (!isLeft) recognition.start()
  })
  recognition.start()
  return () => {
    isLeft = true
    recognition.abort()
  }
}
