import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect } from "effect"
import { WebSocket } from "ws"
import * as Processes from "../programs/Processes.ts"
import { program } from "./conversations/Program.ts"
import * as Cpu from "./queues/Cpu.ts"
import * as Report from "./Report.ts"

const most = 1_000
/** Where the machine cannot carry so many between two processes of its own, fewer are measured too, down to this. */
const fewest = 125
/** Milliseconds from a delta to its frame. */
const promised = 5
/** Each callee speaks this often, in milliseconds, and the model answers with so many deltas within a second. */
const every = 5_000
const deltas = 40
const settling = 8_000
const measuring = 20_000

const now = () => Math.round(performance.now() * 1_000)

interface Measured {
  /** Microseconds. */
  readonly toModel: Array<number>
  readonly toFrame: Array<number>
  frames: number
  on: boolean
}

const event = (content: string) =>
  `data: {"object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"${content}"}}]}\n\n`

const ending =
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] })}\n\n` +
  "data: [DONE]\n\n"

/** A model that answers each request with deltas, each of which says when it was sent. */
const model = Effect.acquireRelease(
  Effect.async<{ readonly url: string; readonly close: () => void; readonly of: Measured }>((resume) => {
    const of: Measured = { toModel: [], toFrame: [], frames: 0, on: false }
    const stream = (response: ServerResponse, left: number) => {
      if (left === 0) return void response.end(ending)
      response.write(event(` t${now()}`))
      setTimeout(stream, 1_000 / deltas, response, left - 1)
    }
    const server = createServer((request, response) => {
      let text = ""
      request.setEncoding("utf8")
      request.on("data", (chunk: string) => (text += chunk))
      request.on("end", () => {
        const said = text.lastIndexOf("said at ")
        if (of.on && said !== -1) of.toModel.push(now() - Number.parseInt(text.slice(said + 8), 10))
        response.writeHead(200, { "content-type": "text/event-stream" })
        stream(response, deltas)
      })
    })
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo
      const close = () => {
        server.closeAllConnections()
        server.close()
      }
      resume(Effect.succeed({ url: `http://127.0.0.1:${port}/v1`, close, of }))
    })
  }),
  ({ close }) => Effect.sync(close)
)

/** Bytes that a process has in use once what is garbage is gone. */
const liveOf = Effect.fnUntraced(function* (running: Processes.Running) {
  const lives = () => [...running.output().matchAll(/live (\d+)/g)]
  const before = lives().length
  running.process.kill("SIGUSR2")
  while (lives().length === before) yield* Effect.sleep("20 millis")
  return Number(lives().at(-1)![1])
})

/** A relay's side of a conversation: it hears what is said at once, and its callee speaks now and then. */
const talk = (port: number, n: number, conversations: number, of: Measured) =>
  Effect.async<() => void>((resume) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/${n}`, { perMessageDeflate: false })
    const tell = (frame: object) => socket.send(JSON.stringify(frame))
    let said = ""
    let timer: NodeJS.Timeout | undefined
    const speak = () => {
      timer = setTimeout(speak, every)
      tell({ type: "prompt", voicePrompt: `This is what I said at ${now()}`, lang: "en-US", last: true })
    }
    socket.on("error", () => {})
    socket.on("open", () => {
      tell({ type: "setup", sessionId: `VX${n}`, callSid: `CA${n}`, callStatus: "RINGING" })
      timer = setTimeout(speak, 500 + (n * every) / conversations)
      resume(
        Effect.succeed(() => {
          clearTimeout(timer)
          socket.terminate()
        })
      )
    })
    socket.on("message", (data: Buffer) => {
      const at = now()
      const frame = JSON.parse(String(data))
      if (frame.type !== "text") return
      said += frame.token
      if (of.on) {
        of.frames += 1
        const sent = /t(\d{6,})\D*$/.exec(frame.token)?.[1]
        if (sent !== undefined) of.toFrame.push(at - Number(sent))
      }
      if (frame.last !== true) return
      tell({ type: "info", name: "agentSpeaking", value: "on" })
      tell({ type: "info", name: "tokensPlayed", value: said })
      tell({ type: "info", name: "agentSpeaking", value: "off" })
      said = ""
    })
  })

const percentile = (values: ReadonlyArray<number>, share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? Number.NaN

const measure = (name: "own" | "bare", program: string, conversations: number) =>
  Effect.scoped(
    Effect.gen(function* () {
      const { of, url } = yield* model
      const port = yield* Processes.freePort
      const running = yield* Processes.scoped(
        program,
        [name, String(port), url, String(conversations)],
        {},
        /serves\n/
      )
      const pid = running.process.pid!
      const before = yield* liveOf(running)
      const leave = yield* Effect.forEach(
        Array.from({ length: conversations }, (_, n) => n),
        (n) => talk(port, n, conversations, of),
        { concurrency: 32 }
      )
      yield* Effect.sleep(settling)
      of.on = true
      const used = Cpu.secondsOf(pid)
      const usedHere = Cpu.secondsOf(process.pid)
      yield* Effect.sleep(measuring)
      of.on = false
      const seconds = Cpu.secondsOf(pid) - used
      const driver = (Cpu.secondsOf(process.pid) - usedHere) / (measuring / 1_000)
      const memory = ((yield* liveOf(running)) - before) / conversations
      for (const each of leave) each()
      return {
        ...of,
        perCoreSecond: of.frames / seconds,
        server: seconds / (measuring / 1_000),
        driver,
        memory
      }
    })
  )

const millis = (values: ReadonlyArray<number>, share: number) => percentile(values, share) / 1_000

/** So many conversations, beside the bare forwarder. Answers whether that one keeps the promise itself. */
const compare = Effect.fnUntraced(function* (program: string, conversations: number) {
  Report.heading(
    `${conversations.toLocaleString("en-US")} conversations at one time, a prompt every 5 s, 40 deltas a second`
  )
  const own = yield* measure("own", program, conversations)
  const bare = yield* measure("bare", program, conversations)
  const shares = ({ driver, server }: typeof own) => `${Report.ratio(server)} and ${Report.ratio(driver)}`
  const told = (values: ReadonlyArray<number>, share: number) => Report.millis(millis(values, share))
  Report.line("from a final prompt to the model's request, p50", told(own.toModel, 0.5))
  Report.line("from a final prompt to the model's request, p99", told(own.toModel, 0.99), Report.atMost(10))
  Report.line("from a final prompt to the request, p99, bare forwarder", told(bare.toModel, 0.99))
  Report.line("from a delta to its frame, p50", told(own.toFrame, 0.5))
  Report.line("from a delta to its frame, p99", told(own.toFrame, 0.99), Report.atMost(promised))
  Report.line("from a delta to its frame, p99, bare forwarder", told(bare.toFrame, 0.99))
  Report.line("memory a conversation", Report.kilobytes(own.memory), Report.atMost(150))
  Report.line("memory a conversation, bare forwarder", Report.kilobytes(bare.memory))
  Report.line("cores that the server and the stand-ins have used", shares(own))
  Report.line("the same of the bare forwarder and the stand-ins", shares(bare))
  Report.line("frames for a second of a core", Report.rate(own.perCoreSecond))
  Report.line("frames for a second of a core, bare forwarder", Report.rate(bare.perCoreSecond))
  Report.line("as a multiple", Report.ratio(own.perCoreSecond / bare.perCoreSecond), Report.atLeast(0.5))
  return millis(bare.toFrame, 0.99) < promised
})

/**
 * Conversations at one time in one process, beside a bare forwarder between the same two stand-ins. Where not even that
 * one keeps the promised times, the machine has too little left for it: then half as many are measured too.
 */
export const run = Effect.gen(function* () {
  const built = yield* program
  for (let conversations = most; conversations >= fewest; conversations /= 2) {
    if (yield* compare(built, conversations)) return
  }
}).pipe(Effect.scoped)
