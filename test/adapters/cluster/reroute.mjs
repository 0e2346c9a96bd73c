import { Socket } from "node:net"

/** Loaded into a server process before anything else: what it connects to at one port goes to another. */
const ways = JSON.parse(process.env.TEST_WAYS ?? "{}")
const { connect } = Socket.prototype

Socket.prototype.connect = function (...args) {
  const [options] = Array.isArray(args[0]) ? args[0] : args
  const way = typeof options === "object" ? ways[options?.port] : undefined
  if (way !== undefined) options.port = way
  return Reflect.apply(connect, this, args)
}
