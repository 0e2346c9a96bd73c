// deno run --allow-all deno.ts
import process from "node:process"
import { makeOutdial } from "outdial"
import { demo } from "./demo.ts"

type Serve = (
  options: {
    readonly hostname: string
    readonly port: number
    readonly onListen: (address: { readonly port: number }) => void
  },
  handle: (request: Request) => Response | Promise<Response>
) => void
const { Deno } = globalThis as unknown as { readonly Deno: { readonly serve: Serve } }

const outdial = await makeOutdial()
const port = Number(process.env["PORT"] ?? 3000)
Deno.serve(
  { hostname: "127.0.0.1", port, onListen: ({ port }) => void demo(outdial, `http://127.0.0.1:${port}`) },
  (request) =>
    new URL(request.url).pathname.startsWith("/v0/")
      ? outdial.fetch(request)
      : new Response("an application of my own")
)
