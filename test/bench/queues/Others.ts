import { Layer } from "effect"
import * as Secrets from "../../../adapters/crypto/Secrets.ts"
import * as AgentSimulator from "../../../adapters/memory/AgentSimulator.ts"
import * as NumberInventory from "../../../adapters/memory/NumberInventory.ts"
import * as RecordingStore from "../../../adapters/memory/RecordingStore.ts"
import * as ScenarioGenerator from "../../../adapters/memory/ScenarioGenerator.ts"
import * as TemplateRegistry from "../../../adapters/memory/TemplateRegistry.ts"
import * as SignedLinks from "../../../adapters/recordings/SignedLinks.ts"
import * as Simulated from "../../../adapters/simulated/SimulatedCarrier.ts"
import * as SimulatedSender from "../../../adapters/simulated/SimulatedSender.ts"
import * as TableReader from "../../../adapters/tables/TableReader.ts"

/** What the platform needs beside a store and a receiver, none of which takes time. */
export const others = Layer.mergeAll(
  Simulated.layer({ speed: Infinity }),
  SimulatedSender.layer({ speed: Infinity }),
  RecordingStore.layer(),
  SignedLinks.layer(),
  TableReader.layer,
  ScenarioGenerator.layer,
  AgentSimulator.layer,
  NumberInventory.layer,
  TemplateRegistry.layer,
  Secrets.layer
)
