import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as OpenApi from "@effect/platform/OpenApi"
import { Schema } from "effect"
import { LedgerEntry } from "../../../core/model/workspaces/Ledger.ts"
import { needs } from "./Authentication.ts"
import * as Examples from "./Examples.ts"
import { operation } from "./Operation.ts"
import { PageOf } from "./Paging.ts"
import { LedgerQuery } from "./Queries.ts"

const Balance = Schema.Struct({
  customer_id: Schema.String,
  balance: Schema.Int.annotations({ description: "Whole credits; holds are taken off already" })
}).annotations({ identifier: "Balance" })

const balance = HttpApiEndpoint.get("balance", "/credits")
  .addSuccess(Balance)
  .middleware(needs("sessions:read"))
  .annotateContext(
    operation("getBalance", {
      summary: "Read the balance",
      description: "The workspace's credits. There is no scope of their own for credits.",
      scope: "sessions:read",
      response: Examples.balance
    })
  )

const ledger = HttpApiEndpoint.get("ledger", "/credits/ledger")
  .setUrlParams(LedgerQuery)
  .addSuccess(PageOf("LedgerPage", LedgerEntry))
  .middleware(needs("sessions:read"))
  .annotateContext(
    operation("listLedger", {
      summary: "List the ledger",
      description:
        "The movements whose sum is the balance, newest first: top-ups, holds when calls are placed, what " +
        "attempts cost, and releases. There is no scope of their own for credits.",
      scope: "sessions:read",
      response: Examples.pageOf(Examples.ledgerEntry)
    })
  )

export const CreditsGroup = HttpApiGroup.make("credits")
  .add(balance)
  .add(ledger)
  .annotateContext(
    OpenApi.annotations({ title: "Credits", description: "What calls are paid with. An addition." })
  )
