import { repositoryContract } from "../../contracts/Repository.ts"
import { onFreshFile } from "./TemporaryFile.ts"

repositoryContract("Repository on SQLite", onFreshFile)
