import { effect, it, live, prop, scoped, scopedLive } from "@effect/vitest"
import { chai } from "vitest"

// `layer` of @effect/vitest leaves what it made on `it`, where the files that follow in this process would find it
// (mended in Effect 4: https://github.com/Effect-TS/effect-smol/pull/2177).
Object.assign(it, { effect, live, prop, scoped, scopedLive })

// A proxy around each assertion only finds misspelt words of `expect(...)`, which the compiler finds here, and takes a
// third of its time.
chai.config.useProxy = false
