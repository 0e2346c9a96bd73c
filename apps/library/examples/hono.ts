import process from "node:process"
import { serve } from "@hono/node-server"
import { Hono } from "hono"
import { makeOutdial } from "outdial"
import { demo } from "./demo.ts"

const outdial = await makeOutdial()
const app = new Hono()
app.get("/", (context) => context.text("an application of my own"))
app.all("/v0/*", ({ req }) => outdial.fetch(req.raw))

serve({ fetch: app.fetch, hostname: "127.0.0.1", port: Number(process.env["PORT"] ?? 3000) }, ({ port }) =>
  demo(outdial, `http://127.0.0.1:${port}`)
)
