import type { AddressInfo } from "node:net"
import process from "node:process"
import { getRequestListener } from "@hono/node-server"
import express from "express"
import { makeOutdial } from "outdial"
import { demo } from "./demo.ts"

const outdial = await makeOutdial()
const app = express()
app.get("/", (_, response) => void response.send("an application of my own"))
// Before any parser of bodies: the interface reads its own, under its own limits.
const rest = getRequestListener(outdial.fetch, { overrideGlobalObjects: false })
app.use((request, response, next) =>
  request.path.startsWith("/v0/") ? void rest(request, response) : next()
)
app.use(express.json())

const server = app.listen(Number(process.env["PORT"] ?? 3000), "127.0.0.1", () =>
  demo(outdial, `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
)
