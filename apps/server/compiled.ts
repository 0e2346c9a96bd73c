import { settle } from "../platform/Heap.ts"
import type * as Begin from "./begin.ts"
import { load } from "./KeptCode.ts"

// How the bundled server is loaded: with the code that V8 compiled at the first start, which that start keeps beside the
// program. Each later start takes a third less processor time. Node does this for modules from 22 on
// (`module.enableCompileCache`); Node 20 can do it for a script alone.

const beside = (name: string) => new URL(name, import.meta.url)

// V8 takes the code with those flags alone that it was kept with.
settle()
const { exports, keep } = load<typeof Begin>(beside("server.cjs"), beside("server.cache"))
if (keep) void exports.released.then(keep)
