/** What a conversation brings. */
export interface Heard {
  /** More of what the agent says; `last`: it has said it all. */
  readonly said: (piece: string, last: boolean) => void
  /** The conversation is over, or its connection broke. */
  readonly over: (broke: boolean) => void
}

/** A line to an agent that is tried out: text goes both ways, as at a carrier's relay. */
export interface Line {
  /** What the callee has said. */
  readonly say: (text: string) => void
  /** What the agent said begins to be heard. */
  readonly speaking: () => void
  /** All that the agent said was heard. */
  readonly played: (text: string) => void
  /** The callee has cut the agent short after so many milliseconds. */
  readonly interrupted: (milliseconds: number) => void
  readonly leave: () => void
}

/** The address on this server, whatever the server is called by itself. */
const ownAddress = (url: string): string => {
  const address = new URL(url)
  address.protocol = location.protocol === "https:" ? "wss:" : "ws:"
  address.host = location.host
  return address.href
}

/** Opens the line at an address that the interface has given. */
export const openLine = (url: string, heard: Heard): Line => {
  const socket = new WebSocket(ownAddress(url))
  let isOver = false
  const end = (broke: boolean) => {
    if (isOver) return
    isOver = true
    heard.over(broke)
    socket.close(1_000)
  }
  const send = (frame: unknown) => {
    if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(frame))
  }
  const info = (name: string, value: string) => send({ type: "info", name, value })
  socket.addEventListener("open", () =>
    send({ type: "setup", capabilities: { reportsPlayout: true, reportsPartials: true } })
  )
  socket.addEventListener("message", ({ data }) => {
    const frame = JSON.parse(String(data)) as { type: string; token?: string; last?: boolean }
    if (frame.type === "text") heard.said(frame.token ?? "", frame.last === true)
    else if (frame.type === "end") end(false)
  })
  socket.addEventListener("close", ({ code }) => end(code !== 1_000))
  return {
    say: (text) => send({ type: "prompt", voicePrompt: text, last: true }),
    speaking: () => info("agentSpeaking", "on"),
    played: (text) => {
      info("tokensPlayed", text)
      info("agentSpeaking", "off")
    },
    interrupted: (milliseconds) => {
      send({ type: "interrupt", durationUntilInterruptMs: Math.round(milliseconds) })
      info("agentSpeaking", "off")
    },
    leave: () => end(false)
  }
}
