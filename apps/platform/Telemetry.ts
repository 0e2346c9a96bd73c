import { Config, Effect, Layer, Logger, LogLevel, Option } from "effect"
import { version } from "../../core/model/Version.ts"
import { choice } from "./Settings.ts"

const text = (name: string) => Config.option(Config.nonEmptyString(name))

const pairs = (list: string): Record<string, string> =>
  Object.fromEntries(
    list
      .split(",")
      .map((pair) => pair.split("="))
      .filter((parts) => parts.length >= 2)
      .map(([name, ...value]) => [name!.trim(), decodeURIComponent(value.join("=").trim())])
  )

const otel = Config.all({
  disabled: Config.withDefault(Config.boolean("OTEL_SDK_DISABLED"), false),
  traces: Config.withDefault(Config.string("OTEL_TRACES_EXPORTER"), "otlp"),
  endpoint: text("OTEL_EXPORTER_OTLP_ENDPOINT"),
  tracesEndpoint: text("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"),
  protocol: Config.withDefault(
    Config.literal("http/protobuf", "http/json")("OTEL_EXPORTER_OTLP_PROTOCOL"),
    "http/protobuf"
  ),
  headers: Config.withDefault(Config.string("OTEL_EXPORTER_OTLP_HEADERS"), ""),
  serviceName: Config.withDefault(Config.string("OTEL_SERVICE_NAME"), "outdial"),
  attributes: Config.withDefault(Config.string("OTEL_RESOURCE_ATTRIBUTES"), "")
})

/** Loaded only where spans are exported: it is a fifth of the time that the server takes to start. */
const exporter = Effect.promise(() =>
  Promise.all([
    import("@effect/opentelemetry/OtlpTracer"),
    import("@effect/opentelemetry/OtlpSerialization"),
    import("@effect/platform-node/NodeHttpClient")
  ])
)

/**
 * Spans to an OpenTelemetry collector when OTEL_EXPORTER_OTLP_ENDPOINT (or its _TRACES_ form) is set, and no
 * spans at all when it is not. Source: OpenTelemetry's environment variable specification.
 */
export const tracing = Layer.unwrapEffect(
  Effect.gen(function* () {
    const settings = yield* otel
    const base = Option.map(settings.endpoint, (url) => `${url.replace(/\/$/, "")}/v1/traces`)
    const url = Option.orElse(settings.tracesEndpoint, () => base)
    if (settings.disabled || settings.traces === "none" || Option.isNone(url)) {
      return Layer.setTracerEnabled(false)
    }
    const [OtlpTracer, OtlpSerialization, NodeHttpClient] = yield* exporter
    return OtlpTracer.layer({
      url: url.value,
      headers: pairs(settings.headers),
      resource: {
        serviceName: settings.serviceName,
        serviceVersion: version,
        attributes: pairs(settings.attributes)
      }
    }).pipe(
      Layer.provide(
        settings.protocol === "http/json" ? OtlpSerialization.layerJson : OtlpSerialization.layerProtobuf
      ),
      Layer.provide(NodeHttpClient.layerUndici)
    )
  })
)

/** The first of them unless the output is a terminal. */
const format = Config.all({
  set: Config.option(Config.nonEmptyString("OUTDIAL_LOG_FORMAT")),
  chosen: choice("OUTDIAL_LOG_FORMAT")
}).pipe(Config.map(({ chosen, set }) => (Option.isNone(set) && process.stdout.isTTY ? "pretty" : chosen)))

const level = Config.map(choice("OUTDIAL_LOG_LEVEL"), (name) =>
  LogLevel.allLevels.find(({ label }) => label === name)!
)

export const settings = Config.all({ format, level, otel })

/** One structured line a log entry: JSON unless the output is a terminal. */
export const logging = Layer.unwrapEffect(
  Effect.map(settings, ({ format, level }) =>
    Layer.merge(
      { pretty: Logger.pretty, json: Logger.json, logfmt: Logger.logFmt }[format],
      Logger.minimumLogLevel(level)
    )
  )
)
