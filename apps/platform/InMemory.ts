import * as Trials from "../../adapters/browser/Trials.ts"
import * as CryptoSecrets from "../../adapters/crypto/Secrets.ts"
import * as MemoryRateLimits from "../../adapters/memory/RateLimits.ts"
import * as MemoryRecordings from "../../adapters/memory/RecordingStore.ts"
import * as MemoryRepository from "../../adapters/memory/Repository.ts"
import * as NumberZones from "../../adapters/numbering/NumberZones.ts"
import * as PublicHolidays from "../../adapters/numbering/PublicHolidays.ts"
import * as SignedLinks from "../../adapters/recordings/SignedLinks.ts"
import { standard } from "../../adapters/shared/TokenBucket.ts"
import * as SimulatedAgentModel from "../../adapters/simulated/SimulatedAgentModel.ts"
import * as SimulatedCarrier from "../../adapters/simulated/SimulatedCarrier.ts"
import * as SimulatedConversation from "../../adapters/simulated/SimulatedConversation.ts"
import * as SimulatedInventory from "../../adapters/simulated/SimulatedInventory.ts"
import * as SimulatedRegistry from "../../adapters/simulated/SimulatedRegistry.ts"
import * as SimulatedReviewer from "../../adapters/simulated/SimulatedReviewer.ts"
import * as SimulatedScenarios from "../../adapters/simulated/SimulatedScenarios.ts"
import * as SimulatedSender from "../../adapters/simulated/SimulatedSender.ts"
import * as SimulatedTools from "../../adapters/simulated/SimulatedTools.ts"
import * as SpeechAudio from "../../adapters/simulated/SpeechAudio.ts"
import * as Inbox from "../../adapters/simulated/WebhookInbox.ts"
import * as Tables from "../../adapters/tables/TableReader.ts"
import { Prices } from "../../core/ports/Prices.ts"
import { RunLimits } from "../../core/ports/RunLimits.ts"
import { inProcess } from "./Dispatch.ts"
import { standardPrices, standardRunLimits } from "./Limits.ts"
import type { Ports } from "./Ports.ts"

/** Nothing leaves the process, nothing is kept, and what is not kept is made up. */
export const inMemory: Ports = {
  store: MemoryRepository.layer,
  carrier: SimulatedCarrier.layer(),
  sender: SimulatedSender.layer(),
  sink: Inbox.layer,
  audio: MemoryRecordings.layer(SpeechAudio.source),
  tables: Tables.layer,
  generator: SimulatedScenarios.layer,
  simulator: SimulatedConversation.layer,
  agentModel: SimulatedAgentModel.layer,
  reviewer: SimulatedReviewer.layer,
  tools: SimulatedTools.layer(),
  inventory: SimulatedInventory.layer,
  registry: SimulatedRegistry.layer,
  secrets: CryptoSecrets.layer,
  zones: NumberZones.layer,
  holidays: PublicHolidays.layer,
  prices: Prices.layer(standardPrices),
  runLimits: RunLimits.layer(standardRunLimits),
  rateLimits: MemoryRateLimits.layer(standard),
  links: SignedLinks.layer(),
  trials: Trials.links(),
  dispatcher: inProcess
}
