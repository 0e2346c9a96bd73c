import Database from "better-sqlite3"
import Fastify from "fastify"

/** The least that a server could do: parse, insert one row without waiting for the disk, answer. */
const [filename, port] = process.argv.slice(2)
const database = new Database(filename)
database.pragma("journal_mode = WAL")
database.pragma("synchronous = NORMAL")
database.exec("create table calls (id text primary key, agent_id text, to_number text, body text)")
const insert = database.prepare("insert into calls values (?, ?, ?, ?)")
let n = 0
const server = Fastify()
server.post<{ Body: { agent_id: string; to_number: string } }>("/v0/calls", (request, reply) => {
  const call_id = `call_${n++}`
  insert.run(call_id, request.body.agent_id, request.body.to_number, JSON.stringify(request.body))
  return reply.send({ call_id, status: "queued", ...request.body })
})
await server.listen({ port: Number(port), host: "127.0.0.1" })
process.stdout.write("Listening on\n")
