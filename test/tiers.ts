/**
 * The tiers of the tests, each by the places of its files. Every file is in exactly one; `Tiers.test.ts` holds that.
 *
 * - `unit` starts no process and no thread, opens no socket, loads nothing native: `guard.ts` refuses all that.
 * - `adapters` has HTTP on loopback, SQLite, the processes that read tables, and stand-ins of providers.
 * - `system` has the programs as processes, PostgreSQL, other runtimes, the package and the pages.
 */
export const tiers = {
  unit: [
    "test/*.test.ts",
    "test/bench/*.test.ts",
    "test/core/**/*.test.ts",
    "test/adapters/memory/*.test.ts",
    "test/adapters/relay/Frames.test.ts",
    "test/adapters/sql/ConnectionLanes.test.ts",
    "test/adapters/simulated/{Behaviour,ProgressLog,Simulated*,SpeechAudio,WebhookInbox}.test.ts",
    "test/apps/platform/RootFibers.test.ts",
    "test/apps/simulation/Engine.test.ts",
    "test/torture/Verdict.test.ts"
  ],
  adapters: [
    "test/adapters/{browser,crypto,http,jwt,llm,meta,numbering,recordings,shared,tables,twilio,webhooks}/*.test.ts",
    "test/adapters/relay/{Holding,SpeechLine}.test.ts",
    "test/adapters/simulated/{CallDialer,CarrierServer,RemoteCarrier}.test.ts",
    "test/adapters/tools/HttpTools.test.ts",
    "test/adapters/sql/{Events,Flushes,GroupCommit,KeptTotals,Migrations,Plans,Repository,RowMaker,Sqlite,StatementCache,TurnReads}.test.ts",
    "test/apps/cli/{Cli,Doctor}.test.ts",
    "test/apps/cli/campaign/{Campaign,Csv,Import,ImportAnswer,Watch}.test.ts",
    "test/apps/cli/suite/{JUnit,Report,Run,Suite}.test.ts",
    "test/apps/cli/{agent,call,command,doctor,progress,rest,simulate,tenant,terminal,webhook}/*.test.ts",
    "test/apps/client/{Client,Contract,Faults,Retry,Webhook}.test.ts",
    "test/apps/testing/{Platform,Properties,SteppedTime}.test.ts",
    "test/apps/platform/{Numbers,Recordings,Settings,Store}.test.ts"
  ],
  system: [
    "test/adapters/cluster/*.test.ts",
    "test/adapters/tools/Readme.test.ts",
    "test/adapters/sql/{Postgres*,RateLimits}.test.ts",
    "test/apps/cli/{MigrateStore,Processes,*/EndToEnd}.test.ts",
    "test/apps/client/{Bundle,Readme,Runtimes,Types}.test.ts",
    "test/apps/{console,library,server}/*.test.ts",
    "test/apps/simulation/Forecast.test.ts",
    "test/apps/testing/Readme.test.ts",
    "test/apps/platform/PostgresStore.test.ts",
    "test/{crash,runtime}/*.test.ts",
    "test/torture/{Conversations,Faults,Outage,Talks,Torture}.test.ts"
  ]
} as const satisfies Readonly<Record<string, ReadonlyArray<string>>>
