// bun run bun.ts
import process from "node:process"
import { makeOutdial } from "outdial"
import { demo } from "./demo.ts"

interface Serving {
  readonly hostname: string
  readonly port: number
  readonly fetch: (request: Request) => Response | Promise<Response>
}
const { Bun } = globalThis as unknown as {
  readonly Bun: { readonly serve: (options: Serving) => { readonly port: number } }
}

const outdial = await makeOutdial()
const { port } = Bun.serve({
  hostname: "127.0.0.1",
  port: Number(process.env["PORT"] ?? 3000),
  fetch: (request) =>
    new URL(request.url).pathname.startsWith("/v0/")
      ? outdial.fetch(request)
      : new Response("an application of my own")
})
await demo(outdial, `http://127.0.0.1:${port}`)
