import { layer } from "../../../adapters/memory/RecordingStore.ts"
import { recordingStoreContract } from "../../contracts/RecordingStore.ts"

recordingStoreContract("RecordingStore in memory", layer)
