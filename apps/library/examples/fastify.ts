import process from "node:process"
import { getRequestListener } from "@hono/node-server"
import fastify from "fastify"
import { makeOutdial } from "outdial"
import { demo } from "./demo.ts"

const outdial = await makeOutdial()
const app = fastify()
app.get("/", () => "an application of my own")
await app.register(async (scope) => {
  const rest = getRequestListener(outdial.fetch, { overrideGlobalObjects: false })
  // Bodies are left as they arrive: the interface reads its own, under its own limits.
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser("*", (_request, _payload, done) => done(null))
  scope.all("/v0/*", (request, reply) => {
    reply.hijack()
    return rest(request.raw, reply.raw)
  })
})

await demo(outdial, await app.listen({ host: "127.0.0.1", port: Number(process.env["PORT"] ?? 3000) }))
