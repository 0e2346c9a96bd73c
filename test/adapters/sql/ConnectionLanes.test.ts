import { assert, describe, it } from "vitest"
import { makeConnectionLanes } from "../../../adapters/sql/postgres/ConnectionLanes.ts"
import { type Fault, unavailable } from "../../../adapters/sql/postgres/Faults.ts"
import type { Session } from "../../../adapters/sql/postgres/Session.ts"

const refused: Fault = { defect: unavailable("too many connections"), again: false, lost: true }

/** Lanes on a pool whose answers come when the test says so. */
const lanesOf = (most: number) => {
  const asked: Array<(session: Session | Fault) => void> = []
  const given: Array<string> = []
  const lost: Array<string> = []
  const ends = new Map<string, () => void>()
  const lanes = makeConnectionLanes(most, (connected) => void asked.push(connected))
  const connection = () => {
    let released = 0
    const session: Session = {
      send: () => undefined,
      begin: () => undefined,
      unanswered: () => 0,
      broken: () => false,
      release: () => {
        released += 1
      },
      answered: () => undefined
    }
    return { session, released: () => released }
  }
  const join = (name: string) => {
    const unit = {
      begin: (_session: Session, ended: () => void) => {
        given.push(name)
        ends.set(name, ended)
      },
      lose: () => void lost.push(name)
    }
    lanes.join(name, unit)
    return () => lanes.leave(name, unit)
  }
  return { asked, connection, given, join, lost, end: (name: string) => ends.get(name)!() }
}

describe("lanes of connections", () => {
  it("go on by the connection that works, although it was free before another was refused", () => {
    const { asked, connection, end, given, join, lost } = lanesOf(3)
    const { released, session } = connection()
    join("a")
    join("b")
    join("c")
    asked[0]!(session)
    end("a")
    end("b")
    end("c")
    asked[1]!(refused)
    join("d")
    asked[2]!(refused)
    end("d")
    assert.deepStrictEqual(given, ["a", "b", "c", "d"])
    assert.deepStrictEqual(lost, [])
    assert.strictEqual(asked.length, 3)
    assert.strictEqual(released(), 1)
  })

  it("take the connection that is there first, whichever of them asked for it", () => {
    const { asked, connection, given, join } = lanesOf(2)
    const leave = join("a")
    join("b")
    leave()
    asked[1]!(connection().session)
    const { released, session } = connection()
    asked[0]!(session)
    assert.deepStrictEqual(given, ["b"])
    assert.strictEqual(released(), 1)
  })

  it("are lost where no connection is open and one is refused, but for those that still wait for another", () => {
    const { asked, connection, given, join, lost } = lanesOf(2)
    for (const name of ["a", "b", "c"]) join(name)
    asked[0]!(refused)
    assert.deepStrictEqual(lost, ["a", "b"])
    asked[1]!(connection().session)
    assert.deepStrictEqual(given, ["c"])
  })

  it("ask for a connection again when they come after one was refused", () => {
    const { asked, connection, given, join, lost } = lanesOf(1)
    join("a")
    asked[0]!(refused)
    join("a")
    asked[1]!(connection().session)
    assert.deepStrictEqual([lost, given], [["a"], ["a"]])
  })
})
