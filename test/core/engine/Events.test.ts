import * as MemoryRepository from "../../../adapters/memory/Repository.ts"
import { eventsContract } from "../../contracts/Events.ts"

eventsContract("in memory", MemoryRepository.layer)
