import { Layer } from "effect"
import { eventsContract } from "../../contracts/Events.ts"
import { onFreshFile } from "./TemporaryFile.ts"

eventsContract("on SQLite", Layer.orDie(onFreshFile))
